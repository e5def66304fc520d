"""The ways to tell them outside the site: email, push, webhooks, and how each can fail."""
