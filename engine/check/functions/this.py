"""Namespace `this`: what a resource body can ask about the resource it describes, as it is before the deployment."""

from __future__ import annotations

from engine.check.functions.signature import Table

THIS = Table(
    "this",
    """
exists() bool #inline
existingResource() any #inline
""",
)
