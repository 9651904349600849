"""Ulna's own types: `values.py` the operator of `Ulna.Core/values`, `plugin.py` what the entry point gives."""

from providers.core.plugin import provider as provider
