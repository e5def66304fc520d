"""What is to be sent, planned and delivered once: by budgets, with pauses after failures."""
