"""The sockets of open pages: what they push, their heartbeat, and who is looking."""
