"""Functions of the user's that C calls when a request is sent: filters, values; and for log messages."""
