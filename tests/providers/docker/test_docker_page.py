"""The page about the kind: its table is what the platform says, and its examples are what the engine accepts. ULNA_ACCEPT=1 writes it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from engine.app.capability import FEATURES
from engine.app.schema import check
from providers.docker import platform

PAGE = Path(platform.__file__).parent / "README.md"
TABLE = re.compile(r"(?<=<!-- table -->\n).*?(?=<!-- end -->)", re.S)


def table() -> str:
    rows = ["| feature | support | what that means |", "|---|---|---|"]
    for key, feature in FEATURES.items():
        cell = platform.CAPABILITIES[key]
        words = ". ".join(s.rstrip(".") for s in (cell.effect, cell.alternative) if s)
        rows.append(f"| {feature.label} | {cell.support} | {words} |")
    return "\n".join(rows) + "\n"


def test_the_table_is_what_the_platform_says():
    text = PAGE.read_text()
    if os.environ.get("ULNA_ACCEPT"):
        text = TABLE.sub(lambda _: table(), text)
        PAGE.write_text(text)
    (shown,) = TABLE.findall(text)
    assert shown == table()


def test_the_block_in_the_example_is_allowed():
    block = {
        "User": "1000",
        "Env": {"LOG_LEVEL": "debug"},
        "HostConfig": {"Memory": 268435456, "Binds": ["./site:/usr/share/nginx/html:ro"], "CapDrop": ["ALL"]},
    }
    schema = platform.DockerPlatform().runtime_schema
    assert not check(block, schema, "'web'", None)
    assert check({**block, "Usr": "1000"}, schema, "'web'", None)


def test_every_option_is_explained():
    schema = platform.DockerPlatform().runtime_schema
    options = {**schema["properties"], **schema["properties"]["HostConfig"]["properties"]}
    assert not [name for name, option in options.items() if not option.get("description")]
