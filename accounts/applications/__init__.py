"""Programs that act for people (OAuth 2): who registers them, how people let them in, and what ends that.

allauth's `idp.oidc` does the protocol. Here is what it leaves open: each program proves with S256 (RFC 7636) that a
code is its own, and people are asked each time; what they allow ends with a suspension, the account and the password.
"""
