"""Print the native objects that a platform would get for a file: manifests for GitOps, or to see what Ulna makes of it.

Secrets and values that only run time knows stay references: {$secret: …}, {$output: …}.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.cli import options as shared
from engine.cli.console import Console

if TYPE_CHECKING:
    from argparse import Namespace

    from engine.cli.parser import Parser
    from engine.pipeline.looking import Rendered

EXAMPLES = """\
  ulna render app.bicep -e local
  ulna render app.bicep --format json
  ulna render app.bicep -o manifests                    one file an object
"""


def arguments(parser: Parser) -> None:
    """A file, where it would go, and where the objects go."""
    shared.target(parser)
    parser.add_argument(
        "-o", "--output", type=shared.path, metavar="FOLDER", help="write one file an object into this folder"
    )
    shared.common(parser, ("yaml", "json"), ())


def run(options: Namespace, console: Console) -> int:
    """Render and print."""
    from engine.pipeline.looking import native

    objects, diagnostics = native(shared.request(options))
    console.diagnostics(diagnostics)
    if options.output is None:
        console.write(_together(objects, options.format))
        return 0
    from engine.cli.files import write_text

    for rendered in objects:
        path = options.output / f"{_file_name(rendered.address)}.{options.format}"
        write_text(path, _one(rendered, options.format))
        console.say(f"wrote {path}")
    return 0


def _together(objects: tuple[Rendered, ...], format: str) -> str:
    if format == "json":
        return _json([_plain(o.document) for o in objects])
    return "---\n".join(_one(o, format) for o in objects)


def _one(rendered: Rendered, format: str) -> str:
    if format == "json":
        return _json(_plain(rendered.document))
    import yaml

    text: str = yaml.safe_dump(_plain(rendered.document), sort_keys=False, allow_unicode=True, width=120)
    return f"# {rendered.type} {rendered.address}\n{text}"


def _json(value: Any) -> str:
    from engine.build.render import render_json

    return render_json(value) + "\n"


def _plain(value: Any) -> Any:
    """As JSON, without the digests of secrets: they mean nothing outside of this state."""
    from engine.contract.value import Leaf, Secret, encode, rewrite

    def leaf(leaf: Leaf) -> Any:
        return {"$secret": leaf.name} if isinstance(leaf, Secret) else encode(leaf)

    return rewrite(dict(value), leaf)


def _file_name(address: str) -> str:
    return "".join(c if c.isalnum() or c in "-._" else "-" for c in address)
