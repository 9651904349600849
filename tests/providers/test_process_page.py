"""The page about the kind: its table is what the platform says, and its example is what a block may hold. ULNA_ACCEPT=1 writes it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from engine.app.capability import FEATURES
from engine.app.schema import check
from engine.contract.platform import Support
from providers.process import platform

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


def test_the_table_has_every_feature_and_says_what_is_different():
    assert platform.CAPABILITIES.keys() == FEATURES.keys()
    for key, cell in platform.CAPABILITIES.items():
        if cell.support in (Support.DEGRADED, Support.UNSUPPORTED):
            assert cell.effect and cell.alternative, key


def test_the_block_in_the_example_is_allowed():
    block = {
        "command": "python3",
        "args": ["-u", "server.py", "--data", "$(VOLUME_DATA)"],
        "workingDirectory": "src",
        "env": {"LOG_LEVEL": "debug"},
        "gracePeriodSeconds": 5,
        "logs": {"maxKilobytes": 1024, "maxFiles": 2},
        "sidecars": {"agent": {"command": "./agent"}},
    }
    schema = platform.ProcessPlatform().runtime_schema
    assert not check(block, schema, "'web'", None)
    assert check({**block, "sidecars": {"agent": {"comand": "./agent"}}}, schema, "'web'", None)
