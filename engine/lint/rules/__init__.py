"""The rules: one file each, named for the rule; importing one registers it."""
