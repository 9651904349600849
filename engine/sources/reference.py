"""What a reference to something outside of the program means: an artifact of a registry, a template spec, a Git commit.

Aliases are looked up in the settings. Nothing is read here, and every part is checked, for parts become paths and URLs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.record import Record
from engine.sources.port import join


class Image(Record):
    """An artifact of an OCI registry, by its tag or its digest (`sha256:…`): a module, or the types of an `extension`."""

    host: str
    repository: str
    tag: str = ""
    digest: str = ""
    extension: bool = False

    def __str__(self) -> str:
        return f"br:{self.host}/{self.repository}" + (f"@{self.digest}" if self.digest else f":{self.tag}")

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.repository.rpartition("/")[2]


class Spec(Record):
    """A version of a template spec in Azure."""

    subscription: str
    group: str
    name: str
    version: str

    def __str__(self) -> str:
        return f"ts:{self.subscription}/{self.group}/{self.name}:{self.version}"

    @property
    def id(self) -> str:
        """Its resource id."""
        group = f"/subscriptions/{self.subscription}/resourceGroups/{self.group}"
        return f"{group}/providers/Microsoft.Resources/templateSpecs/{self.name}/versions/{self.version}"


class Commit(Record):
    """A file of a Git repository, as it is in one commit."""

    url: str
    path: str
    commit: str

    def __str__(self) -> str:
        return f"git:{self.url}//{self.path}@{self.commit}"

    @property
    def name(self) -> str:
        """The file's stem, or its folder's name where it is called `main`."""
        stem = self.path.rpartition("/")[2].rpartition(".")[0]
        return stem if stem != "main" else self.path.removesuffix("/main.bicep").rpartition("/")[2].partition(".")[0]


class Mapped(Record):
    """A local file that stands in for an artifact."""

    path: str


Artifact = Image | Spec | Commit
"""What has to be fetched before it can be read."""


class Misnamed(Exception):
    """A reference that cannot be right, as the code and words of the finding on it."""

    def __init__(self, code: str, message: str, help: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.help = code, message, help


MODULES = (".bicep", ".json", ".jsonc", ".arm")
"""How the files end that can be modules."""

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_SEGMENT = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*")
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_HOST = re.compile(rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[0-9A-Fa-f:.]+\])(?::\d{{1,5}})?")
_ALIAS = re.compile(r"[A-Za-z0-9_-]+")
_GUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_NAME = re.compile(r"(?!\.+$)[-\w.()]+")
_PATH = r"(?:(?!['\"\\?#@])[!-~])+"
_URL = re.compile(
    rf"https://{_HOST.pattern}/{_PATH}|ssh://(?:\w[\w.-]*@)?{_HOST.pattern}/{_PATH}"
    rf"|file:///{_PATH}|\w[\w.-]*@{_LABEL}(?:\.{_LABEL})*:{_PATH}"
)
"""No password can stand in one: the program `git` has its own ways to find them."""

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def parse_reference(text: str, settings: Mapping[str, Any], config: str | None) -> Artifact | Mapped:
    """What a reference means; `config` is the file that the settings came from, for paths are seen from there."""
    scheme = text[: next((n for n, c in enumerate(text) if c in ":/"), len(text))]
    aliased = text[len(scheme) : len(scheme) + 1] == "/"
    rest = text[len(scheme) + 1 :]
    if scheme == "git":
        return _commit(text, rest)
    if not aliased:
        return _spec(text, rest) if scheme == "ts" else image(text, rest)
    alias, colon, rest = rest.partition(":")
    if not colon or not rest:
        code, form = ("BCP194", "ts/ALIAS:NAME:VERSION") if scheme == "ts" else ("BCP193", "br/ALIAS:PATH:TAG")
        raise Misnamed(code, f"'{text}' is no reference to a module", f"Write '{form}'.")
    if not _ALIAS.fullmatch(alias):
        raise Misnamed("BCP211", f"'{alias}' cannot be an alias", "Aliases have letters, digits, - and _.")
    kind = "ts" if scheme == "ts" else "br"
    if (folder := _at(settings, "moduleAliasesMock", kind, alias, "mapToFilePath")) is not None:
        return _mapped(text, rest, join(config or "/", str(folder)), kind)
    defined = _at(settings, "moduleAliases", kind, alias)
    if not isinstance(defined, Mapping):
        from engine.diagnostics.suggest import did_you_mean

        known = _at(settings, "moduleAliases", kind)
        help = (
            did_you_mean(alias, known if isinstance(known, Mapping) else ())
            or f"Define it under 'moduleAliases.{kind}' of {config or 'bicepconfig.json'}."
        )
        raise Misnamed("BCP212" if kind == "ts" else "BCP213", f"There is no alias '{alias}'", help)
    if kind == "ts":
        subscription = _given(defined, "subscription", alias, "BCP214")
        return _spec(text, f"{subscription}/{_given(defined, 'resourceGroup', alias, 'BCP215')}/{rest}")
    path = defined.get("modulePath")
    return image(text, "/".join(p for p in (_given(defined, "registry", alias, "BCP216"), path, rest) if p))


def image(text: str, rest: str) -> Image:
    """The artifact that `HOST/PATH:TAG` or `HOST/PATH@DIGEST` names."""
    help = "Write 'br:HOST/PATH:TAG', 'br:HOST/PATH@sha256:…' or 'br/ALIAS:PATH:TAG'."
    host, slash, path = rest.partition("/")
    if not slash or not _HOST.fullmatch(host) or not _port_fits(host):
        raise Misnamed("BCP193", f"'{text}' is no reference to a module: it names no registry", help)
    if len(host) > 255:
        raise Misnamed("BCP200", f"The registry '{host}' is longer than 255 characters")
    repository, at, digest = path.partition("@")
    tag = ""
    if not at:
        head, slash, last = path.rpartition("/")
        last, _, tag = last.partition(":")
        repository = head + slash + last
    for segment in repository.split("/"):
        if not _SEGMENT.fullmatch(segment):
            message = f"'{segment}' cannot be a part of a path in a registry"
            raise Misnamed("BCP195", message, "Use lower-case letters and digits, with single . _ or - between them.")
    if len(repository) > 255:
        raise Misnamed("BCP199", f"The path '{repository}' is longer than 255 characters")
    if at and not _DIGEST.fullmatch(digest):
        raise Misnamed("BCP224", f"'{digest}' is no digest", "It is 'sha256:' and 64 lower-case hexadecimal digits.")
    if not at and not tag:
        raise Misnamed("BCP196", f"'{text}' has no tag and no digest", help)
    if len(tag) > 128:
        raise Misnamed("BCP197", f"The tag '{tag}' is longer than 128 characters")
    if not at and not _TAG.fullmatch(tag):
        help = "It has letters, digits, . _ and -, and begins with none of . and -."
        raise Misnamed("BCP198", f"'{tag}' cannot be a tag", help)
    return Image(host.lower(), repository, tag, digest)


def _port_fits(host: str) -> bool:
    port = host.rpartition("]")[2].rpartition(":")[2] if ":" in host.rpartition("]")[2] else "1"
    return 0 < int(port) < 65536


def _spec(text: str, rest: str) -> Spec:
    parts, colon, version = rest.rpartition(":")
    words = parts.split("/")
    if not colon or len(words) != 3 or not all((*words, version)):
        help = "Write 'ts:SUBSCRIPTION/GROUP/NAME:VERSION' or 'ts/ALIAS:NAME:VERSION'."
        raise Misnamed("BCP194", f"'{text}' is no reference to a template spec", help)
    subscription, group, name = words
    if not _GUID.fullmatch(subscription):
        raise Misnamed("BCP217", f"'{subscription}' is no id of a subscription", "It is a GUID.")
    for what, word, long, wrong in (
        ("resource group", group, "BCP218", "BCP219"),
        ("template spec", name, "BCP220", "BCP221"),
        ("version", version, "BCP222", "BCP223"),
    ):
        if len(word) > 90:
            raise Misnamed(long, f"The name of the {what} is longer than 90 characters: '{word}'")
        if not _NAME.fullmatch(word) or (what == "resource group" and word.endswith(".")):
            raise Misnamed(wrong, f"'{word}' cannot name a {what}", "Use letters, digits and - _ . ( ).")
    return Spec(subscription, group, name, version)


def _commit(text: str, rest: str) -> Commit:
    place, _, commit = rest.rpartition("@")
    url, slashes, path = _split_url(place)
    if not _URL.fullmatch(url) or not slashes:
        help = "Write 'git:URL//PATH@COMMIT', where URL begins with https://, ssh:// or file:///, or is user@host:path."
        raise Misnamed("ULN030", f"'{text}' is no reference to a file in a Git repository", help)
    if not _COMMIT.fullmatch(commit):
        message = f"'{commit}' is no full commit"
        raise Misnamed("ULN030", message, "Branches and tags move: write all 40 digits that 'git rev-parse' prints.")
    parts = path.split("/") if path else []
    if any(p in ("", ".", "..") or p.lower() == ".git" or "\\" in p or not p.isprintable() for p in parts):
        raise Misnamed("ULN030", f"'{path}' leads out of the repository, or is malformed", "Write it from its root.")
    if not path.endswith(MODULES):
        path = f"{path}/main.bicep" if path else "main.bicep"
    return Commit(url, path, commit)


def _split_url(place: str) -> tuple[str, str, str]:
    """The URL before the `//` that ends it, and what comes after."""
    scheme = place.find("://")
    start = scheme + 3 if scheme >= 0 else 0
    end = place.find("//", start)
    return (place, "", "") if end < 0 else (place[:end], "//", place[end + 2 :])


def _mapped(text: str, rest: str, folder: str, kind: str) -> Mapped:
    """The file below a folder that stands in: its tag, digest or version counts for nothing."""
    path = rest.partition("@")[0] if "@" in rest else rest.rpartition(":")[0] or rest
    for segment in path.split("/"):
        if not (_NAME if kind == "ts" else _SEGMENT).fullmatch(segment):
            raise Misnamed("BCP195", f"'{segment}' cannot be a part of the path in '{text}'")
    return Mapped(f"{folder.rstrip('/')}/{path}")


def _given(defined: Mapping[str, Any], key: str, alias: str, code: str) -> str:
    value = defined.get(key)
    if not isinstance(value, str) or not value:
        raise Misnamed(code, f"The alias '{alias}' has no '{key}'", f"Add '{key}' to it in bicepconfig.json.")
    return value


def _at(settings: Mapping[str, Any], *keys: str) -> Any:
    value: Any = settings
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
