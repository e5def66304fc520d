"""What people are told, in words, and whether it still holds."""
