"""The exceptions, and those that functions of the user's raised."""
