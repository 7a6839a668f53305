"""Requests: their options, and how a netcore_request is made from them."""
