"""Stand-ins for the extensions that the reference's programs use, and that no registry has: their names, versions and settings."""

from __future__ import annotations

from pathlib import Path

from engine.pipeline.extending import extension_of
from engine.sources.cache import TYPES, Store
from engine.sources.reference import Image, parse_reference
from tests.types.writing import Index, Ref, Types, packed, prop

HOME = "br:mcr.microsoft.com/bicep/extensions"
MADE_UP = ("hasoptionalconfig", "hassecureconfig", "hasconfig", "hasdiscrimconfig", "noconfig")
GRAPH = {"v1.0": "0.1.8-preview", "beta": "0.1.8-preview"}
SERVED = (
    "applications", "applications/federatedIdentityCredentials", "appRoleAssignedTo", "groups", "oauth2PermissionGrants",
    "servicePrincipals",
)  # fmt: skip


def put(cache: Path) -> list[str]:
    """Puts them into a cache; gives their references."""
    store, found = Store(str(cache)), []
    packages = {f"{HOME}/{name}/v1:1.2.3": _made_up(name) for name in MADE_UP}
    packages |= {f"{HOME}/microsoftgraph/{path}:{version}": _graph(path, version) for path, version in GRAPH.items()}
    for reference, package in packages.items():
        image = parse_reference(reference, {}, None)
        assert isinstance(image, Image)
        _, manifest = extension_of(package, {})
        store.put(image.replace(extension=True), manifest, {TYPES: package})
        found.append(reference)
    return found


def _made_up(name: str) -> bytes:
    index = Index()
    t = index.file("types.json")
    config = _config(t, name)
    settings = {"name": name, "version": "1.2.3", "isSingleton": False}
    if config is not None:
        settings["configurationType"] = {"$ref": f"types.json{config['$ref']}"}
    index.document["settings"] = settings
    return packed(index.written())


def _config(t: Types, name: str) -> Ref | None:
    match name:
        case "hasoptionalconfig":
            return t.object("config", optionalString=t.text())
        case "hassecureconfig":
            return t.object(
                "config", requiredSecureString=prop(t.text(secret=True), "required"), optionalString=t.text()
            )
        case "hasconfig":
            return t.object("config", requiredString=prop(t.text(), "required"), optionalString=t.text())
        case "hasdiscrimconfig":
            a = t.object("a", discrim=prop(t.one("a"), "required"), z1=t.text())
            b = t.object("b", discrim=prop(t.one("b"), "required"), z1=prop(t.text(), "required"))
            return t.told("config", "discrim", {"a": a, "b": b})
        case _:
            return None


def _graph(path: str, version: str) -> bytes:
    """An extension that says nothing of what is in its types, but for what makes out each."""
    index = Index()
    t = index.file("types.json")
    for name in SERVED:
        known = {key: t.text() for key in ("id", "appId", "uniqueName", "displayName", "name")}
        t.modern(f"Microsoft.Graph/{name}@{path}", t.object(name, t.any(), **known))
    index.document["settings"] = {"name": "MicrosoftGraph", "version": version, "isSingleton": False}
    return packed(index.written())
