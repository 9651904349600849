"""What fuzzing starts from: the programs of the pages, of the samples, and of the reference's tests where they are there."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from engine.check.functions.decorators import DECORATORS
from engine.check.functions.sys import SYS
from tests.fuzz.targets import SEPARATOR
from tests.parse.corpus import CONFORMANCE, ROOT, read

LARGEST = 3000
"""Characters; longer ones are cut into pieces of statements."""

_FENCE = re.compile(r"^```(bicep|bicepparam|json)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXPRESSION = re.compile(r'"\[([^\n\[]{4,200})\]"')


def _pages() -> Iterator[tuple[str, str]]:
    """The fenced texts of the pages, by their language."""
    for page in sorted((ROOT / "tests").rglob("*.md")):
        for match in _FENCE.finditer(page.read_text(encoding="utf-8")):
            yield match[1], match[3]


def _corpus(pattern: str) -> Iterator[str]:
    for root in (CONFORMANCE, ROOT / "samples"):
        for path in sorted(root.rglob(pattern)):
            text = read(path)
            if ".diagnostics" not in path.name and ".formatted" not in path.name:
                yield from _pieces(text)


def _pieces(text: str) -> Iterator[str]:
    """The text, or its blocks between empty lines where it is long."""
    if len(text) <= LARGEST:
        yield text
        return
    block = ""
    for part in re.split(r"(?<=\n)(?=\r?\n)", text):
        if len(block) + len(part) > LARGEST // 2 and block:
            yield block
            block = ""
        block += part[:LARGEST]
    yield block


def seeds(kind: str) -> list[str]:
    """The texts that inputs of a kind are made from."""
    pages = list(_pages())
    match kind:
        case "bicep":
            found = [t for language, t in pages if language == "bicep"] + [*_corpus("*.bicep")]
        case "modules":
            programs = seeds("bicep")
            other = "@export()\ntype t = { a: int, b: string? }\n@export()\nvar v = [1, 2]\nparam p string = 'x'\noutput o string = p\n"
            use = "import * as n from 'other.bicep'\nmodule m 'other.bicep' = {\n  name: 'm'\n}\nvar l = loadJsonContent('data.json')\n"
            found = [SEPARATOR.join((use + text, other, '{"a": [1]}')) for text in programs]
        case "bicepparam":
            found = [t for language, t in pages if language == "bicepparam"] + [*_corpus("*.bicepparam")]
        case "parameters":
            program = "param a string = 'x'\nparam b int?\nparam c object = {}\noutput o string = '${a}${b}'\n"
            base = "using none\nparam a = 'base'\nvar w = 1\n"
            found = [SEPARATOR.join((text, program, base)) for text in seeds("bicepparam")]
            begin = "using 'main.bicep'\nextends 'base.bicepparam'\nparam a = "
            values = [
                "base.a",
                "readEnvironmentVariable('X', 'y')",
                "externalInput('k')",
                "map(range(0, 3), i => '${i}')",
            ]
            found += [SEPARATOR.join((begin + value + "\n", program, base)) for value in values]
        case "template" | "json":
            found = [t for language, t in pages if language == "json"] + [*_corpus("decompile/**/*.json")]
            found = [t for t in found if len(t) <= LARGEST]
        case "config":
            found = [t for language, t in pages if language == "json" and ("analyzers" in t or "formatting" in t)]
            found += _corpus("bicepconfig.json")
        case "expression":
            found = [e.replace("''", "'") for _, t in pages for e in _EXPRESSION.findall(t)]
        case _:
            raise AssertionError(kind)
    return sorted(set(found))


def dictionary() -> str:
    """Words of the languages, one an entry as libFuzzer reads them."""
    grammar = (ROOT / "grammar" / "bicep.lark").read_text(encoding="utf-8")
    words = {*re.findall(r'"([^"\n\\]+)"', grammar), *SYS, *(f"@{name}(" for name in DECORATORS)}
    words |= {
        "'${",
        "'''",
        "$'''",
        "/*",
        "*/",
        "//",
        "#disable-next-line ",
        "\r\n",
        ".?",
        "[?",
        "[^",
        "9223372036854775808",
    }
    words |= {
        '"copy":',
        '"resources":',
        '"$ref":',
        '"properties":',
        '"name":',
        '"type":',
        '"value":',
        '"[',
        ']"',
        "copyIndex()",
        "null",
    }
    return "".join(f'"{_escaped(word)}"\n' for word in sorted(words))


def _escaped(word: str) -> str:
    return "".join(c if " " <= c <= "~" and c not in '"\\' else f"\\x{ord(c):02x}" for c in word)


def write(kind: str, folder: Path, most: int) -> None:
    """Some of the seeds of a kind, others every time, as files of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    found = seeds(kind)
    for number, text in enumerate(random.sample(found, min(most, len(found)))):
        (folder / f"seed-{number:04}").write_bytes(text.encode("utf-8", "replace"))
