"""Responses, and how far they have come."""
