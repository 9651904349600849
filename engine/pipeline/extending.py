"""The types of an extension as what a registry keeps: the folder of their index, packed the same way every time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.diagnostics.diagnostic import UlnaError
from engine.sources.port import Sources

MOST = 20_000
"""No folder of types has more files."""


def packed_types(path: str, sources: Sources) -> bytes:
    """The package of the index at a path, or one that is packed already; `UlnaError` says what is wrong with it."""
    from engine.check.type_index import TypeIndex

    absolute = sources.absolute(path)
    place = absolute if absolute.endswith(".tgz") else absolute.rpartition("/")[0]
    index = TypeIndex(place, sources)
    if index.empty:
        raise UlnaError.of("ULN022", f"The types of '{path}' cannot be used: {index.problem}")
    for name in index.names():
        type, _, version = name.partition("@")
        index.data(type, version)
    index.configuration()
    if index.problem:
        raise UlnaError.of("ULN022", f"The types of '{path}' cannot be used: {index.problem}")
    if place == absolute:
        return sources.read(place)
    return _packed({below: sources.read(f"{place}/{below}") for below in sorted(_files(place, "", sources))})


def _files(place: str, below: str, sources: Sources) -> Iterator[str]:
    """The JSON files of a folder and the folders in it."""
    found = 0
    for entry in sources.entries(f"{place}/{below}".rstrip("/")):
        if entry.folder and not entry.name.startswith("."):
            yield from _files(place, f"{below}{entry.name}/", sources)
        elif entry.name.endswith(".json"):
            found += 1
            if found > MOST:
                raise UlnaError.of("ULN022", f"'{place}' has more than {MOST} files of types")
            yield below + entry.name


def _packed(files: Mapping[str, bytes]) -> bytes:
    import gzip
    import io
    import tarfile

    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o644
            archive.addfile(member, io.BytesIO(content))
    return gzip.compress(plain.getvalue(), mtime=0)


def extension_of(types: bytes, annotations: Mapping[str, str]) -> tuple[tuple[bytes, ...], bytes]:
    """The blobs of an extension and its manifest."""
    import json

    from engine.sources.cache import digest_of
    from engine.sources.fetch import EXTENSION, EXTENSION_CONFIG, EXTENSION_TYPES
    from engine.sources.oci import MANIFEST

    def described(content: bytes, kind: str) -> dict[str, str | int]:
        return {"mediaType": kind, "digest": digest_of(content), "size": len(content)}

    config = b"{}"
    manifest = {
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "artifactType": EXTENSION,
        "config": described(config, EXTENSION_CONFIG),
        "layers": [described(types, EXTENSION_TYPES)],
        "annotations": {"bicep.serialization.format": "v1", **annotations},
    }
    return (config, types), json.dumps(manifest, ensure_ascii=False, separators=(",", ":")).encode()
