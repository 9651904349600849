"""Compile a module and put it into a registry, under a tag that is not there yet; or the types of an extension.

Whoever has access then uses it by 'br:HOST/PATH:TAG'. Credentials are those of 'docker login'. Its description is that
of 'metadata description' in the file.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna publish web.bicep --target br:registry.example.com/modules/web:1.2.0
  ulna publish web.bicep --target br/team:web:1.2.0 --with-source     an alias from bicepconfig.json
  ulna publish web.json --target br:localhost:5000/web:dev --force    overwrites the tag
  ulna publish types/index.json --target br:localhost:5000/garden:1.0.0    an extension: its folder of types
"""


def arguments(parser: Parser) -> None:
    """A file, and where it goes."""
    parser.add_argument(
        "file", metavar="FILE", help="a .bicep file, an ARM template (.json), or the index.json of an extension's types"
    )
    parser.add_argument("--target", metavar="REFERENCE", required=True, help="br:HOST/PATH:TAG or br/ALIAS:PATH:TAG")
    parser.add_argument("--with-source", action="store_true", help="publish the sources too")
    parser.add_argument("--force", action="store_true", help="overwrite the tag if it is there")
    parser.add_argument(
        "--documentation-uri", "--documentationUri", metavar="URL", help="where its documentation is, for its readers"
    )
    shared.restoring(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Publish and tell."""
    from engine.pipeline.publishing import Publication, publish

    published = publish(
        Publication(
            options.file,
            options.target,
            with_source=options.with_source,
            force=options.force,
            documentation=options.documentation_uri,
            restore=options.restore,
        )
    )
    console.diagnostics(published.diagnostics)
    if console.json:
        console.document({"reference": published.reference, "digest": published.digest})
    else:
        console.line(f"published {published.reference}  {published.digest}")
    return 0
