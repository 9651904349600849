"""A provider for Ulna: notes, kept as text files. Reading order: this file, then `notes.py`."""

from ulna_notes.plugin import provider as provider
