"""The list functions of a resource, such as `listKeys`: how a call of one is named in what the resource reports.

A call without anything of its own is `listKeys()`; what it is asked with stands between the parentheses, as JSON: an API version
other than that of the resource, and the values: `listAccountSas("2023-05-01",{"signedServices":"b"})`.
"""

from __future__ import annotations

import json

from engine.contract.value import Value


def called(name: str, *arguments: Value) -> str:
    """The name of a call."""
    return f"{name}({json.dumps(arguments, sort_keys=True, separators=(',', ':'))[1:-1]})"


def parts(call: str) -> tuple[str, list[Value]]:
    """The function of a call, and what it is asked with."""
    name, _, arguments = call.partition("(")
    return name, json.loads(f"[{arguments.removesuffix(')')}]")


def is_call(key: object) -> bool:
    """Whether a key of what a resource reports is such a call."""
    return isinstance(key, str) and key[:4].lower() == "list" and key.endswith(")")


def offered(listed: str) -> str:
    """The call that one of `Resource.lists` stands for."""
    return listed if listed.endswith(")") else f"{listed}()"
