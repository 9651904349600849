"""Fills a cache with what the files of a folder say they are published as, and with stand-ins for the reference's extensions.

Call it from the root of the repository: `python -m tests.registry.seed FOLDER CACHE [symbolic]`. `NAME.metadata.json` beside `NAME.bicep` or `NAME.json` has the reference under `target`.
"""

import json
import sys
from pathlib import Path

from engine.build.build import build
from engine.build.render import render
from engine.pipeline.publishing import artifact_of
from engine.pipeline.restoring import checked
from engine.sources.cache import MAIN, Store, folder_of
from engine.sources.local import LocalSources
from engine.sources.reference import Image, Spec, parse_reference
from tests.registry.standins import put


def seed(folder: Path, cache: Path, symbolic: bool = False) -> list[str]:
    """The references that are in the cache now."""
    store = Store(str(cache))
    found = []
    for metadata in sorted(folder.rglob("*.metadata.json")):
        target = json.loads(metadata.read_text())["target"]
        stem = metadata.name.removesuffix(".metadata.json")
        match parse_reference(target, {}, None):
            case Image() as image:
                model = checked(str(metadata.with_name(f"{stem}.bicep")), LocalSources(), restore=False)
                template, problems = build(model, symbolic=symbolic)
                assert not problems, problems
                (_, content), manifest = artifact_of(render(template).encode(), None, {})
                store.put(image, manifest, {MAIN: content})
            case Spec() as spec:
                store.write(f"{folder_of(store.root, spec)}/{MAIN}", metadata.with_name(f"{stem}.json").read_bytes())
        found.append(target)
    return [*found, *put(cache)]


if __name__ == "__main__":
    print("\n".join(seed(Path(sys.argv[1]), Path(sys.argv[2]).absolute(), "symbolic" in sys.argv[3:])))
