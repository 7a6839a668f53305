"""Tasks and groups, for threads and for asyncio."""
