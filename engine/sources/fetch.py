"""One artifact from where it is into the cache."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.sources.cache import MAIN, SOURCE, TYPES, Store, folder_of
from engine.sources.git import fetch_commit
from engine.sources.oci import Client
from engine.sources.reference import Artifact, Commit, Image, Spec
from engine.sources.text import LIMIT
from engine.sources.transport import RegistryError, Transport

ARTIFACT = "application/vnd.ms.bicep.module.artifact"
CONFIG = "application/vnd.ms.bicep.module.config.v1+json"
TEMPLATE = "application/vnd.ms.bicep.module.layer.v1+json"
SOURCES = "application/vnd.ms.bicep.module.source.v1.tar+gzip"
"""The media types of a module; letter case does not count in them."""

EXTENSION = "application/vnd.ms.bicep.provider.artifact"
EXTENSION_CONFIG = "application/vnd.ms.bicep.provider.config.v1+json"
EXTENSION_TYPES = "application/vnd.ms.bicep.provider.layer.v1.tar+gzip"
"""Those of an extension."""

SOURCES_LIMIT = 50 * 1024 * 1024


def fetch(
    artifact: Artifact,
    store: Store,
    locked: str | None = None,
    transport: Transport | None = None,
    fresh: bool = False,
) -> str | None:
    """Puts an artifact into the cache and gives its digest, where it has one; `RegistryError` says why not.

    `locked` is the digest that its tag had: another one now is refused. `fresh` takes anew even what never changes.
    """
    try:
        match artifact:
            case Image():
                return _fetch_image(artifact, store, locked, transport)
            case Commit():
                fetch_commit(artifact, store, fresh)
                return None
            case Spec():
                place = f"{folder_of(store.root, artifact)}/{MAIN}"
                raise RegistryError(
                    "template specs are in Azure, which is not asked; "
                    f"export it to '{place}', or map its alias to a folder with 'moduleAliasesMock.ts'"
                )
    except ValueError as error:
        if "null" not in str(error) and not isinstance(error, UnicodeError):
            raise
        raise RegistryError("the path of the cache is malformed") from None
    except OSError as error:
        raise RegistryError(
            f"the cache '{store.root}' cannot be used: {(error.strerror or str(error)).lower()}"
        ) from None


def _fetch_image(image: Image, store: Store, locked: str | None, transport: Transport | None) -> str:
    client = Client(image.host, transport)
    content, digest = client.manifest(image.repository, image.digest or image.tag)
    if locked is not None and digest != locked:
        raise RegistryError(f"its tag has moved: it is {digest} now, and {locked} in ulna.lock")
    files = {}
    for name, layer, limit in _extension(content) if image.extension else _layers(content):
        wanted, size = str(layer["digest"]), layer["size"]
        found = store.blob(wanted)
        files[name] = found if found is not None else client.blob(image.repository, wanted, size, limit)
    store.put(image, content, files)
    return digest


def _manifest(content: bytes) -> Mapping[str, Any]:
    """A manifest that has layers."""
    import json

    try:
        manifest = json.loads(content)
    except (ValueError, RecursionError):
        raise RegistryError("its manifest is not JSON") from None
    if not isinstance(manifest, Mapping) or not isinstance(manifest.get("layers"), list):
        raise RegistryError("its manifest has no layers")
    return manifest


def _extension(content: bytes) -> list[tuple[str, Mapping[str, Any], int]]:
    """The layer of an extension that has its types."""
    manifest = _manifest(content)
    kind = str(manifest.get("artifactType") or "").lower()
    if kind != EXTENSION:
        raise RegistryError(f"it is no extension: its type is '{kind[:100]}'")
    layers = [each for each in manifest["layers"] if _is_sound(each) and each["mediaType"].lower() == EXTENSION_TYPES]
    if len(layers) != 1:
        raise RegistryError(f"it has {len(layers)} packages of types, where an extension has one")
    return [(TYPES, layers[0], SOURCES_LIMIT)]


def _layers(content: bytes) -> list[tuple[str, Mapping[str, Any], int]]:
    """The layers of a module to be kept: file name, descriptor, and how large it may be."""
    manifest = _manifest(content)
    kind = str(manifest.get("artifactType") or ARTIFACT).lower()
    config = manifest.get("config")
    form = str(config.get("mediaType") or CONFIG).lower() if isinstance(config, Mapping) else CONFIG
    if kind != ARTIFACT or form != CONFIG:
        shown = kind if kind != ARTIFACT else form
        raise RegistryError(f"it is no Bicep module: its type is '{shown[:100]}'")
    layers = [layer for layer in manifest["layers"] if _is_sound(layer)]
    templates = [layer for layer in layers if layer["mediaType"].lower() == TEMPLATE]
    if len(templates) != 1:
        raise RegistryError(f"it has {len(templates)} templates, where a module has one")
    sources = [layer for layer in layers if layer["mediaType"].lower() == SOURCES]
    return [(MAIN, templates[0], LIMIT), *((SOURCE, layer, SOURCES_LIMIT) for layer in sources[:1])]


def _is_sound(layer: Any) -> bool:
    import re

    return (
        isinstance(layer, Mapping)
        and isinstance(layer.get("mediaType"), str)
        and re.fullmatch(r"sha256:[0-9a-f]{64}", str(layer.get("digest"))) is not None
        and type(layer.get("size")) is int
        and layer["size"] >= 0
    )
