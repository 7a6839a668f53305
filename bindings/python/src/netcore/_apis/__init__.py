"""APIs that are described once, and called as methods."""
