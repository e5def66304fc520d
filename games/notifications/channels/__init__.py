"""The ways to tell them outside the site: mail, push, webhooks, and how each can fail."""
