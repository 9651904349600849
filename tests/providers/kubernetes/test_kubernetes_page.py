"""The page about the kind: its table is what the platform says, and its example is allowed. ULNA_ACCEPT=1 writes it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from engine.app.capability import FEATURES
from engine.app.schema import check
from providers.kubernetes import platform

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
        "base": "",
        "pod": {
            "nodeSelector": {"disk": "ssd"},
            "containers": [{"name": "web", "securityContext": {"runAsNonRoot": True}}],
        },
    }
    schema = platform.KubernetesPlatform().runtime_schema
    assert not check(block, schema, "'web'", None)
    assert check({**block, "pods": {}}, schema, "'web'", None)


def test_every_setting_of_the_environment_is_explained():
    schema = platform.KubernetesPlatform().environment_schema
    gateway = schema["properties"]["gateway"]["properties"]
    settings = {k: v for k, v in {**schema["properties"], **gateway}.items() if "const" not in v}
    assert not [name for name, setting in settings.items() if not setting.get("description")]
