"""Version 1 of the API: a module for each kind of address; `api` puts them together."""
