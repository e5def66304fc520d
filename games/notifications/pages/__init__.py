"""The notices as a page, and the pages on which people choose how they are told."""
