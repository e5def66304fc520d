"""Pictures of things on a table, in perspective, as SVG: pure geometry for drawing art, never used by the site."""
