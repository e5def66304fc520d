"""Programs that play any game: a search over what a seat can imagine, guided by what a title knows of playing well."""
