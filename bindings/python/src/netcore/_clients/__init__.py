"""The clients, and how they receive what came back."""
