"""Ours to the protocol's, value by value."""

from __future__ import annotations

import re
from collections.abc import Callable

from lsprotocol import types as lsp

from engine.diagnostics.diagnostic import Diagnostic, Edit, Severity
from engine.diagnostics.source import Source, Span
from engine.lsp.actions import Action
from engine.lsp.analysis import Analysis
from engine.lsp.completion.item import Item
from engine.lsp.hover import Hover
from engine.lsp.navigation import Use
from engine.lsp.outline import Entry
from engine.lsp.positions import Positions
from engine.lsp.signature import Signatures

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}
_TAGS = {"unnecessary": lsp.DiagnosticTag.Unnecessary, "deprecated": lsp.DiagnosticTag.Deprecated}

_ITEMS = {
    "keyword": lsp.CompletionItemKind.Keyword,
    "snippet": lsp.CompletionItemKind.Snippet,
    "function": lsp.CompletionItemKind.Function,
    "parameter": lsp.CompletionItemKind.Variable,
    "variable": lsp.CompletionItemKind.Variable,
    "type": lsp.CompletionItemKind.Class,
    "resource": lsp.CompletionItemKind.Interface,
    "module": lsp.CompletionItemKind.Module,
    "namespace": lsp.CompletionItemKind.Module,
    "property": lsp.CompletionItemKind.Property,
    "literal": lsp.CompletionItemKind.EnumMember,
    "decorator": lsp.CompletionItemKind.Function,
    "file": lsp.CompletionItemKind.File,
    "folder": lsp.CompletionItemKind.Folder,
}

_ENTRIES = {
    "parameter": lsp.SymbolKind.Field,
    "variable": lsp.SymbolKind.Variable,
    "resource": lsp.SymbolKind.Object,
    "module": lsp.SymbolKind.Module,
    "output": lsp.SymbolKind.Interface,
    "type": lsp.SymbolKind.Class,
    "function": lsp.SymbolKind.Function,
    "metadata": lsp.SymbolKind.Constant,
    "property": lsp.SymbolKind.Property,
}


def range(positions: Positions | None, span: Span) -> lsp.Range:
    """A stretch of a text; the beginning of one that is not known."""
    if positions is None:
        return lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    return lsp.Range(lsp.Position(*positions.position(span.start)), lsp.Position(*positions.position(span.end)))


def changed(text: str, change: lsp.TextDocumentContentChangePartial, encoding: str) -> str:
    """The text with a part of it replaced."""
    positions = Positions(Source("", text), encoding)
    start = positions.offset(change.range.start.line, change.range.start.character)
    end = positions.offset(change.range.end.line, change.range.end.character)
    return text[: min(start, end)] + change.text + text[max(start, end) :]


def diagnostic(analysis: Analysis, found: Diagnostic, uri: Callable[[str], str]) -> lsp.Diagnostic:
    """A finding; its help is the second line of its message."""
    here = found.primary is not None and found.primary.source is analysis.model.source
    span = found.primary.span if found.primary is not None and here else Span(0, 0)
    message = found.message if here or found.primary is None else f"{found.message} ({found.primary.source.name})"
    related = [
        lsp.DiagnosticRelatedInformation(
            lsp.Location(
                uri(label.source.name), range(Positions(label.source, analysis.positions.encoding), label.span)
            ),
            label.text or "See here",
        )
        for label in found.related
    ]
    return lsp.Diagnostic(
        range(analysis.positions, span),
        f"{message}\n{found.help}" if found.help else message,
        _SEVERITIES[found.severity],
        found.code,
        source="ulna",
        tags=[_TAGS[t] for t in found.tags if t in _TAGS] or None,
        related_information=related or None,
    )


def edit(analysis: Analysis, change: Edit) -> lsp.TextEdit:
    """A replacement in a file."""
    return lsp.TextEdit(range(analysis.positions, change.span), change.text)


def hover(analysis: Analysis, found: Hover) -> lsp.Hover:
    """What is said of a thing."""
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text), range(analysis.positions, found.span))


def item(analysis: Analysis, offer: Item, place: int, snippets: bool) -> lsp.CompletionItem:
    """An offer, in the order that it was made; without its places to fill in for an editor that knows no `snippets`."""
    assert offer.replaces is not None, "every offer says what it replaces"
    snippet = offer.snippet and snippets
    text = offer.insert or offer.label
    return lsp.CompletionItem(
        offer.label,
        kind=_ITEMS[offer.kind],
        detail=offer.detail or None,
        documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, offer.text) if offer.text else None,
        sort_text=f"{place:04}",
        insert_text_format=lsp.InsertTextFormat.Snippet if snippet else lsp.InsertTextFormat.PlainText,
        text_edit=lsp.TextEdit(
            range(analysis.positions, offer.replaces), plain(text) if offer.snippet and not snippet else text
        ),
    )


def plain(snippet: str) -> str:
    """A snippet as it is when all its places are left as they were offered."""
    text = re.sub(r"\$\{\d+:((?:\\.|[^}\\])*)\}", r"\1", snippet)
    return re.sub(r"\\([$}\\])", r"\1", re.sub(r"(?<!\\)\$\d+", "", text))


def signatures(found: Signatures) -> lsp.SignatureHelp:
    """The ways to call."""
    each = [
        lsp.SignatureInformation(
            s.label,
            lsp.MarkupContent(lsp.MarkupKind.Markdown, s.text) if s.text else None,
            [lsp.ParameterInformation(p) for p in s.parameters],
        )
        for s in found.all
    ]
    return lsp.SignatureHelp(each, found.best, found.parameter)


def highlight(analysis: Analysis, use: Use) -> lsp.DocumentHighlight:
    """A use in the file itself."""
    kind = lsp.DocumentHighlightKind.Write if use.writes else lsp.DocumentHighlightKind.Read
    return lsp.DocumentHighlight(range(analysis.positions, use.span), kind)


def symbol(analysis: Analysis, entry: Entry) -> lsp.DocumentSymbol:
    """A declaration with what is below it."""
    return lsp.DocumentSymbol(
        entry.name,
        _ENTRIES.get(entry.kind, lsp.SymbolKind.Variable),
        range(analysis.positions, entry.span),
        range(analysis.positions, entry.place),
        entry.detail or entry.kind,
        children=[symbol(analysis, e) for e in entry.inner] or None,
    )


def action(analysis: Analysis, offer: Action, uri: Callable[[str], str]) -> lsp.CodeAction:
    """What can be done."""
    edits = [edit(analysis, e) for e in offer.edits]
    return lsp.CodeAction(
        offer.title,
        kind=offer.kind,
        diagnostics=[diagnostic(analysis, offer.finding, uri)] if offer.finding else None,
        is_preferred=offer.preferred or None,
        edit=lsp.WorkspaceEdit(changes={uri(analysis.path): edits}) if edits else None,
        command=lsp.Command(offer.title, offer.command, arguments=[uri(analysis.path)]) if offer.command else None,
    )
