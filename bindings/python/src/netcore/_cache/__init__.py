"""The cache, its types and functions, and values attached to stored answers."""
