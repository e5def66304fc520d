"""Version 1 of the API: a module for each kind of address; `api` puts them together."""

from typing import Final

ROOT: Final = "/api/v1"
"""How its addresses begin; a slash follows."""
