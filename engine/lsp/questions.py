"""The questions of the protocol, one function each, and what is offered for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from engine.diagnostics.source import Span
from engine.lsp import convert, highlighting
from engine.lsp.actions import actions
from engine.lsp.completion.complete import complete
from engine.lsp.files import path_of
from engine.lsp.folding import folds
from engine.lsp.formatting import formatted
from engine.lsp.hover import hover
from engine.lsp.navigation import definition, highlights, references
from engine.lsp.outline import outline
from engine.lsp.positions import Positions
from engine.lsp.rename import Refused, rename, renameable
from engine.lsp.signature import signatures

if TYPE_CHECKING:
    from engine.lsp.server import Server

REFUSED = -32803
"""The protocol's code for a request that is understood and cannot be done."""


def _hover(server: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    analysis, offset = server.at(params)
    found = hover(analysis, offset)
    return convert.hover(analysis, found) if found else None


def _completion(server: Server, params: lsp.CompletionParams) -> lsp.CompletionList:
    analysis, offset = server.at(params)
    items = complete(analysis, server.files.buffers, offset)
    return lsp.CompletionList(False, [convert.item(analysis, i, n, server.snippets) for n, i in enumerate(items)])


def _signature(server: Server, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    found = signatures(*server.at(params))
    return convert.signatures(found) if found else None


def _definition(server: Server, params: lsp.DefinitionParams) -> lsp.Location | None:
    found = definition(server.files, *server.at(params))
    return server.location(found) if found else None


def _references(server: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
    found = references(server.files, *server.at(params), params.context.include_declaration)
    return [server.location(f) for f in found]


def _highlight(server: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
    analysis, offset = server.at(params)
    return [convert.highlight(analysis, use) for use in highlights(analysis, offset)]


def _prepare_rename(server: Server, params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
    analysis, offset = server.at(params)
    found = renameable(analysis, offset)
    if found is None:
        return None
    place = convert.range(analysis.positions, found.span)
    return lsp.PrepareRenamePlaceholder(place, analysis.text[found.start : found.end])


def _rename(server: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    analysis, offset = server.at(params)
    try:
        found = rename(server.files, analysis, offset, params.new_name)
    except Refused as refused:
        raise JsonRpcException(str(refused), REFUSED) from None
    changes = {
        server.uri(path): [convert.edit(server.files.analysis(path), e) for e in edits] for path, edits in found.items()
    }
    return lsp.WorkspaceEdit(changes=changes)


def _symbols(server: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    analysis = server.files.analysis(path_of(params.text_document.uri))
    return [convert.symbol(analysis, entry) for entry in analysis.once(outline)]


def _folding(server: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    analysis = server.files.analysis(path_of(params.text_document.uri))
    return [lsp.FoldingRange(f.first, f.last, kind=f.kind or None) for f in analysis.once(folds)]


def _formatting(server: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    analysis = server.files.analysis(path_of(params.text_document.uri))
    text = analysis.once(formatted)
    if text is None or text == analysis.text:
        return []
    whole = convert.range(analysis.positions, Span(0, len(analysis.text)))
    return [lsp.TextEdit(whole, text)]


async def _actions(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
    analysis = server.files.analysis(path_of(params.text_document.uri))
    if not await server.look(analysis) or server.files.analysis(analysis.path) is not analysis:
        return None  # the text has changed meanwhile: the editor will ask again
    positions: Positions = analysis.positions
    start = positions.offset(params.range.start.line, params.range.start.character)
    end = positions.offset(params.range.end.line, params.range.end.character)
    only = params.context.only
    found = []
    for action in actions(analysis, start, end):
        if only is None or any(action.kind == str(o) or action.kind.startswith(f"{o}.") for o in map(value, only)):
            found.append(convert.action(analysis, action, server.uri))
    return found


def value(kind: Any) -> str:
    """The text of one of the protocol's closed words."""
    return str(getattr(kind, "value", kind))


def _tokens(server: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    analysis = server.files.analysis(path_of(params.text_document.uri))
    return lsp.SemanticTokens(analysis.once(highlighting.numbers))


QUESTIONS: dict[str, tuple[Callable[..., Any], Any]] = {
    lsp.TEXT_DOCUMENT_HOVER: (_hover, None),
    lsp.TEXT_DOCUMENT_COMPLETION: (
        _completion,
        lsp.CompletionOptions(trigger_characters=[".", ":", "@", "'", "/", "{", "#"]),
    ),
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: (_signature, lsp.SignatureHelpOptions(trigger_characters=["(", ","])),
    lsp.TEXT_DOCUMENT_DEFINITION: (_definition, None),
    lsp.TEXT_DOCUMENT_REFERENCES: (_references, None),
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: (_highlight, None),
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: (_prepare_rename, None),
    lsp.TEXT_DOCUMENT_RENAME: (_rename, lsp.RenameOptions(prepare_provider=True)),
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (_symbols, None),
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: (_folding, None),
    lsp.TEXT_DOCUMENT_FORMATTING: (_formatting, None),
    lsp.TEXT_DOCUMENT_CODE_ACTION: (
        _actions,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]),
    ),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (
        _tokens,
        lsp.SemanticTokensLegend(list(highlighting.TYPES), list(highlighting.MODIFIERS)),
    ),
}
"""What answers each, and the options that go with the offer."""
