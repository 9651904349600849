"""The sources of a module as a compressed archive: the same sources give the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.parse import tree
from engine.template.template import Template

if TYPE_CHECKING:
    from engine.check.model import Model
    from engine.sources.port import Sources

METADATA = "__metadata.json"
VERSION = 1


def archive_of(path: str, content: bytes, model: Model | None, sources: Sources) -> bytes:
    """The files of a program below the folder they share, and a list of them; what is in registries stays there.

    Nothing in it says where on this machine the files are.
    """
    import json

    from engine.build.build import VERSION as BICEP

    files = _files(model, sources) if model is not None else {path: content}
    shared = _shared(list(files))
    entries: dict[str, bytes] = {}
    listed: list[dict[str, Any]] = []
    for each in sorted(files):
        name = each[len(shared) :]
        entries[f"files/{name}"] = files[each]
        kind = "bicep" if each.endswith(".bicep") else "armTemplate"
        listed.append({"path": name, "archivePath": f"files/{name}", "kind": kind})
    metadata = {
        "metadataVersion": VERSION,
        "bicepVersion": BICEP,
        "entryPoint": path[len(shared) :],
        "sourceFiles": listed,
        "documentLinks": {},
    }
    return _packed({METADATA: json.dumps(metadata, ensure_ascii=False).encode(), **entries})


def _files(root: Model, sources: Sources) -> dict[str, bytes]:
    """The Bicep files and local templates of a program."""
    found: dict[str, bytes] = {}
    for model in root.everything():
        if model is not root and model.source.name.startswith("git:"):
            continue
        found[model.path] = sources.read(model.path)
        for statement in model.file.statements:
            if not isinstance(statement, tree.Module | tree.Import) or not isinstance(statement.path, tree.Text):
                continue
            text = statement.path.literal or ""
            if isinstance(model.modules.get(id(statement)), Template) and ":" not in text:
                path = sources.resolve(model.path, text)
                found[path] = sources.read(path)
    return found


def _shared(paths: list[str]) -> str:
    """The folder above all of them, with its final slash."""
    first, last = min(paths), max(paths)
    same = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[: first.rfind("/", 0, same) + 1]


def _packed(entries: dict[str, bytes]) -> bytes:
    import gzip
    import io
    import tarfile

    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in entries.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            entry.mode = 0o644
            archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(out.getvalue(), mtime=0)
