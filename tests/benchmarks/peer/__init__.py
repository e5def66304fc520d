"""boardgame.io with file storage, driven by the same load as Tessera."""
