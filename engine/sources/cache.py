"""Where fetched artifacts lie on this machine: by digest, with an entry for every tag that says which digest it meant.

    ROOT/blobs/sha256/<hex>                                      every blob once, hard-linked into the folders below
    ROOT/br/<host>/<path>/sha256#<hex>/main.json, manifest, metadata[, source.tgz]
    ROOT/br/<host>/<path>/<tag>$<mask>/…                         the same; `metadata` names the digest
    ROOT/ts/<subscription>/<group>/<name>/<version>/main.json
    ROOT/git/<hash of the URL>/<commit>/                         the files of a commit

The folders under `br` and `ts` are those of the reference tool, so that one may read what the other fetched. Folders of
a digest or a commit never change; what does (a tag's `metadata`) is replaced whole. So many processes can share it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from engine.sources.port import Sources, join
from engine.sources.reference import Artifact, Commit, Image, Spec

MAIN, MANIFEST, METADATA, SOURCE = "main.json", "manifest", "metadata", "source.tgz"
TYPES = "types.tgz"
"""What is in the place of a template where an artifact is an extension."""


def cache_root(settings: Mapping[str, Any], config: str | None, variable: Callable[[str], str | None]) -> str:
    """The folder of the cache: $ULNA_CACHE, else `cacheRootDirectory` of the settings, else `ulna` in the user's cache."""
    home = variable("HOME") or "/"
    if root := variable("ULNA_CACHE"):
        return root if root.startswith("/") else os.path.abspath(root)  # noqa: PTH100  pathlib costs start-up time
    root = settings.get("cacheRootDirectory")
    if isinstance(root, str) and root:
        return f"{home}{root[1:]}" if root == "~" or root.startswith("~/") else join(config or "/", root)
    if (root := variable("XDG_CACHE_HOME")) and root.startswith("/"):
        return f"{root}/ulna"
    return f"{home.rstrip('/')}/.cache/ulna"


def folder_of(root: str, artifact: Artifact) -> str:
    """Where an artifact lies, or will."""
    match artifact:
        case Image():
            last = artifact.digest.replace(":", "#") or masked(artifact.tag)
            return f"{root}/br/{artifact.host.replace(':', '$')}/{artifact.repository.replace('/', '$')}/{last}"
        case Spec():
            parts = (artifact.subscription, artifact.group, artifact.name, artifact.version)
            return f"{root}/ts/" + "/".join(part.lower() for part in parts)
        case Commit():
            from hashlib import sha256

            return f"{root}/git/{sha256(artifact.url.encode()).hexdigest()[:32]}/{artifact.commit}"


def masked(tag: str) -> str:
    """A tag as a file name where capitals do not count: which letters are capitals is said by a number after it."""
    mask = sum(1 << place for place, letter in enumerate(tag) if letter.isupper())
    return f"{tag}${mask:x}" if mask else f"{tag}$"


def digest_of(content: bytes) -> str:
    """`sha256:…` of some bytes."""
    from hashlib import sha256

    return f"sha256:{sha256(content).hexdigest()}"


def cached_digest(root: str, image: Image, sources: Sources) -> str | None:
    """The digest that an artifact has in the cache, or had when it was fetched by its tag."""
    if image.digest:
        return image.digest
    path = f"{folder_of(root, image)}/{METADATA}"
    if not sources.exists(path):
        return None
    document = _json(sources.read(path))
    digest = document.get("manifestDigest") if isinstance(document, dict) else None
    return digest if isinstance(digest, str) and digest.startswith("sha256:") else None


def cached_main(root: str, image: Image, sources: Sources) -> str | None:
    """The path of the template, or the types, of an artifact, checked against its digest; None where it is not there or damaged."""
    digest = cached_digest(root, image, sources)
    if digest is None:
        return None
    by_digest = folder_of(root, image.replace(tag="", digest=digest))
    for folder in (by_digest, folder_of(root, image)):
        path, manifest = f"{folder}/{TYPES if image.extension else MAIN}", f"{folder}/{MANIFEST}"
        if sources.exists(path) and sources.exists(manifest):
            content = sources.read(manifest)
            if digest_of(content) == digest and digest_of(sources.read(path)) in _layers(content):
                return path
    return None


def _layers(manifest: bytes) -> list[str]:
    document = _json(manifest)
    layers = document.get("layers") if isinstance(document, dict) else None
    return [str(layer.get("digest")) for layer in layers or [] if isinstance(layer, dict)]


def _json(content: bytes) -> Any:
    import json

    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


class Store:
    """The cache as what is fetched goes in: private to its owner, every file whole or not there."""

    __slots__ = ("root",)

    def __init__(self, root: str) -> None:
        self.root = root

    def folder(self, path: str) -> str:
        """A folder below the root, made if need be, for its owner alone."""
        below = path[len(self.root) :].strip("/")
        at = self.root
        os.makedirs(at, mode=0o700, exist_ok=True)  # noqa: PTH103
        for part in below.split("/") if below else ():
            at = f"{at}/{part}"
            if not os.path.isdir(at):  # noqa: PTH112
                os.makedirs(at, mode=0o700, exist_ok=True)  # noqa: PTH103
        return path

    def blob(self, digest: str) -> bytes | None:
        """A blob that is there already, and is what its digest says."""
        try:
            with open(self._blob_path(digest), "rb") as file:  # noqa: PTH123
                content = file.read()
        except OSError:
            return None
        return content if digest_of(content) == digest else None

    def keep(self, content: bytes) -> str:
        """Stores a blob; gives its path."""
        digest = digest_of(content)
        path = self._blob_path(digest)
        if self.blob(digest) is None:
            self.write(path, content)
        return path

    def _blob_path(self, digest: str) -> str:
        return f"{self.root}/blobs/{digest.replace(':', '/')}"

    def put(self, image: Image, manifest: bytes, files: Mapping[str, bytes]) -> None:
        """An artifact under its digest, and under its tag if it was asked for by that."""
        digest = digest_of(manifest)
        import json

        metadata = json.dumps({"manifestDigest": digest}).encode()
        contents = {**files, MANIFEST: manifest}
        by_digest = image.replace(tag="", digest=digest)
        for each in (by_digest,) if image == by_digest else (by_digest, image):  # what a tag names is there before it
            folder = self.folder(folder_of(self.root, each))
            for name, content in contents.items():
                self._link(self.keep(content), f"{folder}/{name}", content)
            self.write(f"{folder}/{METADATA}", metadata)  # last: it is what readers look at

    def _link(self, blob: str, path: str, content: bytes) -> None:
        draft = self._draft(path)
        try:
            os.link(blob, draft)
        except OSError:  # a file system without hard links
            self.write(path, content)
            return
        os.replace(draft, path)  # noqa: PTH105
        if os.path.lexists(draft):  # both were the same file already, and then nothing is done
            os.unlink(draft)  # noqa: PTH108

    def write(self, path: str, content: bytes) -> None:
        """A file, whole or not at all."""
        self.folder(path.rpartition("/")[0])
        draft = self._draft(path)
        try:
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(content)
            os.replace(draft, path)  # noqa: PTH105
        except OSError:
            if os.path.lexists(draft):
                os.unlink(draft)  # noqa: PTH108
            raise

    @staticmethod
    def _draft(path: str) -> str:
        folder, _, name = path.rpartition("/")
        return f"{folder}/.{name[:40]}.{os.getpid()}.{os.urandom(6).hex()}"
