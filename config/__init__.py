"""The site: what its apps have in common, and how it is served."""

VERSION = "1.0.0"
"""Of this Tessera, as its changelog has it (CONTRIBUTING says what a version promises)."""
