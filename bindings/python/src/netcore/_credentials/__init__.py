"""Who sends requests: credentials, tokens, answers to challenges, cookies."""
