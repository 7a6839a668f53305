"""The C layer: finds the library, declares what its headers say, and reads its memory. Knows nothing of HTTP."""
