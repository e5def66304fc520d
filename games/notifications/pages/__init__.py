"""The notices as a page, and the pages where people choose how they are told."""
