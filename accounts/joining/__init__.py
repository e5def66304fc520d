"""How people join: as guests at once, or as members who have confirmed their address."""
