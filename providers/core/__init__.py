"""Ulna's own types: `values.py` the operator of `Ulna.Core/values`, `provider.py` what the entry point gives."""

from providers.core.provider import provider as provider
