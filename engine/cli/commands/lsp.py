"""Serve an editor: findings as you type, completion, hover, definitions, references, rename, formatting, colours.

It talks the Language Server Protocol over stdin and stdout, and is started by the editor for files that end in .bicep
and .bicepparam. What it needs comes with: pip install 'ulna[lsp]'. To connect an editor:

  Neovim    vim.lsp.config.ulna = { cmd = {'ulna', 'lsp'}, filetypes = {'bicep', 'bicep-params'} }
            vim.lsp.enable('ulna')
  Helix     [language-server.ulna]
            command = "ulna"
            args = ["lsp"]
  Emacs     (add-to-list 'eglot-server-programs '(bicep-ts-mode "ulna" "lsp"))
  VS Code   any client for a language server over stdio, with the command 'ulna lsp'
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console
from engine.diagnostics.diagnostic import UlnaError

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna lsp                                              what an editor runs; there is nothing to type
"""


def arguments(parser: Parser) -> None:
    """None but the usual; `--stdio` is what some editors add, and the only way there is."""
    parser.add_argument("--stdio", action="store_true", help="talk over stdin and stdout, as it does anyway")
    shared.common(parser, ())


def run(options: Namespace, console: Console) -> int:
    """Serve until the editor says goodbye."""
    from engine.cli.commands.version import VERSION

    try:
        from engine.lsp.server import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UlnaError.of(
            "ULN718", "The language server needs a library that is not installed", "Run: pip install 'ulna[lsp]'"
        ) from None
    return 0 if serve(VERSION) else 1
