"""The decorators of `sys`, and what each may stand on."""

from __future__ import annotations

from engine.check.functions.signature import Table

DECORATORS = Table(
    "sys",
    """
allowed(array) any
batchSize(int) any
description(string) any
discriminator(string) any
export() any
maxLength(int) any
maxValue(int) any
metadata(object) any
minLength(int) any
minValue(int) any
nullIfNotFound() any
onlyIfNotExists() any
patch() any
retryOn(string[], int?) any
sealed() any
secure() any
validate(any, string?) any
waitUntil(any, string) any
""",
)


class Target:
    """What a decorator can stand on: bits of a number, since an `enum.Flag` costs a millisecond to define."""

    PARAM = 1
    VAR = 2
    TYPE = 4
    OUTPUT = 8
    FUNC = 16
    RESOURCE = 32
    MODULE = 64
    METADATA = 128
    MEMBER = 256
    IMPORT = 512
    EXTENSION = 1024
    ASSERT = 2048
    TEST = 4096
    OTHER = 8192


_TYPED = Target.PARAM | Target.OUTPUT | Target.TYPE | Target.MEMBER

TARGETS: dict[str, int] = {
    "allowed": Target.PARAM,
    "batchSize": Target.RESOURCE | Target.MODULE,
    "description": ~Target.OTHER,
    "discriminator": _TYPED,
    "export": Target.TYPE | Target.VAR | Target.FUNC,
    "maxLength": _TYPED,
    "maxValue": _TYPED,
    "metadata": _TYPED,
    "minLength": _TYPED,
    "minValue": _TYPED,
    "nullIfNotFound": Target.RESOURCE,
    "onlyIfNotExists": Target.RESOURCE,
    "patch": Target.RESOURCE,
    "retryOn": Target.RESOURCE,
    "sealed": _TYPED,
    "secure": _TYPED,
    "validate": _TYPED,
    "waitUntil": Target.RESOURCE,
}

FEATURES = {"patch": "patch", "validate": "userDefinedConstraints", "waitUntil": "waitUntil"}
"""Decorators behind an experimental feature."""
