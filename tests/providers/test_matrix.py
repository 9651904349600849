"""The page about all kinds: one table of what each can do, held to their own tables. ULNA_ACCEPT=1 writes it."""

from __future__ import annotations

import importlib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from engine.app.capability import FEATURES
from engine.contract.platform import Capability, Support

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "providers" / "README.md"
TABLE = re.compile(r"(?<=<!-- table -->\n).*?(?=<!-- end -->)", re.S)
SIGNS = {
    Support.NATIVE: "yes",
    Support.EMULATED: "emulated",
    Support.IGNORED: "ignored",
    Support.DEGRADED: "**differs**",
    Support.UNSUPPORTED: "**no**",
}


def tables() -> Iterator[tuple[str, Mapping[str, Capability]]]:
    """Every compute kind of this project with its table, by its entry points."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for target in project["entry-points"]["ulna.providers"].values():
        module, _, name = target.partition(":")
        provider = getattr(importlib.import_module(module), name)
        for kind in provider.kinds:
            yield kind, provider.platform(kind).capabilities


KINDS = dict(tables())
ORDER = [k for k in ("process", "docker", "kubernetes", "aci", "ecs") if k in KINDS]
ORDER += sorted(KINDS.keys() - set(ORDER))


def matrix() -> str:
    rows = [f"| | {' | '.join(ORDER)} |", f"|---|{'---|' * len(ORDER)}"]
    for key, feature in FEATURES.items():
        rows.append(f"| {feature.label} | {' | '.join(SIGNS[KINDS[k][key].support] for k in ORDER)} |")
    return "\n".join(rows) + "\n"


def test_the_page_shows_what_all_kinds_can_do():
    text = PAGE.read_text()
    if os.environ.get("ULNA_ACCEPT"):
        text = TABLE.sub(lambda _: matrix(), text)
        PAGE.write_text(text)
    (shown,) = TABLE.findall(text)
    assert shown == matrix()


@pytest.mark.parametrize("kind", ORDER)
def test_a_table_has_every_feature_and_says_what_is_different(kind):
    table = KINDS[kind]
    assert table.keys() - {"kubernetesNamespace"} == FEATURES.keys()  # which is asked of applications alone
    for key, cell in table.items():
        assert cell.effect or cell.support is Support.NATIVE or key == "kubernetesMetadata", key
        assert cell.alternative or cell.support not in (Support.DEGRADED, Support.UNSUPPORTED), key


@pytest.mark.parametrize("kind", ORDER)
def test_a_kind_has_a_page_of_its_own_that_the_page_leads_to(kind):
    (folder,) = re.findall(rf"\[`{kind}`\]\((\w+)/README\.md\)", PAGE.read_text())
    assert (PAGE.parent / folder).is_dir()
