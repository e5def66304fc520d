"""The pages of a match and the requests their forms send."""
