"""Keeps to themselves what libraries log: Python prints warnings that nobody listens to, between the lines of the console."""

from __future__ import annotations


def hush(*names: str) -> None:
    """Let warnings of these loggers go nowhere, unless somebody has set up logging; what fails is told by who called."""
    import logging

    for name in names:
        logger = logging.getLogger(name)
        if not any(isinstance(h, logging.NullHandler) for h in logger.handlers):
            logger.addHandler(logging.NullHandler())
