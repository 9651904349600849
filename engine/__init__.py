"""Ulna: a folder is a step of the pipeline, and its name is the verb; `pipeline` strings them together."""
