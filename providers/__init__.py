"""The providers that come with Ulna: each a folder and one entry point in the group `ulna.providers`.

A provider sees `engine.contract`, `engine.diagnostics` and `engine.record`, and no other provider.
"""
