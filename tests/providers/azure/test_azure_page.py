"""The page about the kind: its table is what the platform says, its examples are allowed. ULNA_ACCEPT=1 writes it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from engine.app.capability import FEATURES
from engine.app.schema import check
from providers.azure import platform

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
        "sku": "Confidential",
        "priority": "Spot",
        "zones": ["1"],
        "containers": [
            {"name": "web", "properties": {"resources": {"requests": {"gpu": {"count": 1, "sku": "V100"}}}}}
        ],
        "nGroup": {"placementProfile": {"faultDomainCount": 2}},
        "tags": {"costCenter": "42"},
    }
    assert not check(block, platform.AciPlatform().runtime_schema, "'web'", None)


def test_every_key_of_the_compute_block_is_explained():
    schema = platform.AciPlatform().environment_schema
    named = {k: v for k, v in schema["properties"].items() if k != "kind"}
    assert not [k for k, v in named.items() if not v.get("description")]
    page = PAGE.read_text()
    ours = [k for k, v in named.items() if v.get("x-ulna-addition")]
    assert not [k for k in ours if k not in page]
