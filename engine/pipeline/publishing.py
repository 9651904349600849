"""A module into a registry: compiled, described, and if wanted with its sources; or the types of an extension."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.diagnostics.diagnostic import Diagnostic, UlnaError, has_errors
from engine.record import Record
from engine.template.template import Template

if TYPE_CHECKING:
    from engine.check.model import Model
    from engine.pipeline.reading import RememberingSources
    from engine.sources.port import Sources
    from engine.sources.reference import Image
    from engine.sources.transport import Transport


class Published(Record):
    """A module that is in a registry now: its reference by tag, and its digest."""

    reference: str
    digest: str
    diagnostics: tuple[Diagnostic, ...] = ()


class Publication(Record):
    """What to publish, and how: `with_source` sends the sources along, `force` overwrites a tag that is there."""

    path: str
    target: str
    with_source: bool = False
    force: bool = False
    documentation: str | None = None
    restore: bool = True


def publish(wanted: Publication, transport: Transport | None = None) -> Published:
    """Compiles a file and puts it into a registry; `UlnaError` says why not."""
    from engine.pipeline.reading import RememberingSources
    from engine.sources.oci import Client
    from engine.sources.transport import RegistryError

    sources = RememberingSources()
    image = target_of(wanted.target, sources.absolute(wanted.path), sources)
    diagnostics: tuple[Diagnostic, ...] = ()
    if wanted.path.endswith(("/index.json", ".tgz")) or wanted.path == "index.json":
        from engine.pipeline.extending import extension_of, packed_types

        parts, manifest = extension_of(packed_types(wanted.path, sources), _annotations(None, wanted.documentation))
    else:
        parts, manifest, diagnostics = _module(wanted, sources)
    client = Client(image.host, transport)
    try:
        there = None if wanted.force else client.digest(image.repository, image.tag)
        if there is not None:
            message = f"'{image}' is there already, with the digest {there}"
            raise UlnaError.of("ULN033", message, "Choose another tag, or overwrite it with --force.")
        for part in parts:
            client.push_blob(image.repository, part)
        client.push_manifest(image.repository, image.tag, manifest)
    except RegistryError as error:
        raise UlnaError.of("ULN034", f"'{image}' cannot be published: {error.reason}") from None
    from engine.sources.cache import digest_of

    return Published(str(image), digest_of(manifest), diagnostics)


def _module(
    wanted: Publication, sources: RememberingSources
) -> tuple[tuple[bytes, ...], bytes, tuple[Diagnostic, ...]]:
    """The parts of a module, its manifest, and what was found while it was compiled."""
    template, content, model, diagnostics = _compiled(wanted, sources)
    archive = None
    if wanted.with_source:
        from engine.pipeline.archive import archive_of

        archive = archive_of(sources.absolute(wanted.path), content, model, sources)
    return *artifact_of(content, archive, _annotations(template, wanted.documentation)), diagnostics


def target_of(text: str, path: str, sources: Sources) -> Image:
    """The tag of a registry that a text names, by the aliases that hold for the file at `path`."""
    from engine.config.find import find_config
    from engine.sources.reference import Image, Misnamed, parse_reference

    config = find_config(path, sources)
    help = "Write 'br:HOST/PATH:TAG' or 'br/ALIAS:PATH:TAG'."
    if not text.startswith(("br:", "br/")):
        raise UlnaError.of("ULN032", f"'{text}' is no place to publish to", help, exit_code=2)
    try:
        meant = parse_reference(text, config.settings, config.path)
    except Misnamed as problem:
        raise UlnaError.of(problem.code, problem.message, problem.help or help, exit_code=2) from None
    if not isinstance(meant, Image):
        message = f"The alias in '{text}' stands for a local folder"
        raise UlnaError.of("ULN032", message, "Name the registry itself: br:HOST/PATH:TAG.", exit_code=2)
    if meant.digest:
        raise UlnaError.of("ULN032", f"'{text}' has a digest, which only its content can give", help, exit_code=2)
    return meant


def _compiled(
    wanted: Publication, sources: RememberingSources
) -> tuple[Template, bytes, Model | None, tuple[Diagnostic, ...]]:
    """The template of a file, its text, and the program it came from; a template in JSON goes as it is."""
    from engine.build.render import render
    from engine.pipeline.compiling import compile

    if wanted.path.endswith(".bicepparam"):
        message = f"'{wanted.path}' is a parameter file, and no module"
        raise UlnaError.of("ULN706", message, "Publish the .bicep file that it uses.", exit_code=2)
    if wanted.path.endswith(".bicep"):
        from engine.build.build import build
        from engine.pipeline.compiling import all_diagnostics
        from engine.pipeline.restoring import checked

        model = checked(wanted.path, sources, wanted.restore)
        diagnostics = all_diagnostics(model)
        if has_errors(diagnostics):
            raise UlnaError(*diagnostics)
        template, more = build(model)
        if has_errors(more):
            raise UlnaError(*diagnostics, *more)
        return template, render(template).encode(), model, (*diagnostics, *more)
    compiled = compile(wanted.path, sources)
    content = sources.read(sources.absolute(wanted.path))
    return compiled.template, content, None, compiled.diagnostics


def _annotations(template: Template | None, documentation: str | None) -> dict[str, str]:
    metadata = template.document.get("metadata") if template is not None else None
    description = metadata.get("description") if isinstance(metadata, Mapping) else None
    found = {}
    if isinstance(description, str) and description:
        found["org.opencontainers.image.description"] = description
    if documentation:
        found["org.opencontainers.image.documentation"] = documentation
    return {**found, "org.opencontainers.image.created": _now()}


def _now() -> str:
    """The time, or that of the source where a build is to be repeated to the byte."""
    import os
    from time import gmtime, strftime, time

    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(int(fixed) if fixed.isdigit() else time()))


def artifact_of(
    template: bytes, archive: bytes | None, annotations: Mapping[str, str]
) -> tuple[tuple[bytes, ...], bytes]:
    """The blobs of a module and its manifest."""
    import json

    from engine.sources.cache import digest_of
    from engine.sources.fetch import ARTIFACT, CONFIG, SOURCES, TEMPLATE
    from engine.sources.oci import MANIFEST

    def described(content: bytes, kind: str, title: str = "") -> dict[str, Any]:
        found: dict[str, Any] = {"mediaType": kind, "digest": digest_of(content), "size": len(content)}
        return {**found, "annotations": {"org.opencontainers.image.title": title}} if title else found

    config = b"{}"
    layers = [described(template, TEMPLATE, "Compiled ARM template")]
    if archive is not None:
        layers.append(described(archive, SOURCES, "Source files"))
    manifest = {
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "artifactType": ARTIFACT,
        "config": described(config, CONFIG),
        "layers": layers,
        "annotations": dict(annotations),
    }
    blobs = (config, template) if archive is None else (config, template, archive)
    return blobs, json.dumps(manifest, ensure_ascii=False, separators=(",", ":")).encode()
