"""Rule no-hardcoded-env-urls."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.diagnostics.source import Span
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("no-hardcoded-env-urls")
def no_hardcoded_env_urls(model: Model) -> Iterator[Finding]:
    """The address of one cloud, written into a string.

    In another cloud, or tomorrow, it is another. `environment()` knows it: `environment().suffixes.storage`.

    Example:
        output o string = 'https://store.blob.core.windows.net'
        ---
        output o string = 'https://store.blob.${environment().suffixes.storage}'
    """
    options = model.config.get("analyzers", "core", "rules", "no-hardcoded-env-urls", default={})
    hosts = [h.lower() for h in options.get("disallowedhosts", ()) if isinstance(h, str)]
    allowed = [h.lower() for h in options.get("excludedhosts", ()) if isinstance(h, str)]
    whole = model.source.text.lower()
    hosts = [host for host in hosts if host in whole]
    elsewhere = {id(n.type) for n in model.nodes(tree.Resource)} | {id(n.path) for n in model.nodes(tree.Module)}
    for node in model.nodes(tree.Text) if hosts else ():
        if id(node) in elsewhere or not any("." in part for part in node.parts):
            continue
        text = whole[node.start : node.end]
        excluded = _places(text, allowed)
        last = -1
        for start, end in _places(text, hosts):
            if start >= last and not any(start < b and a < end for a, b in excluded):
                place = Span(node.start + start, node.start + end)
                yield place, f"'{model.source.text[place.start : place.end]}' is the address of one cloud only"
            last = max(last, end)


def _places(text: str, hosts: list[str]) -> list[tuple[int, int]]:
    """Where hosts stand in a text, as words of their own, those that begin first and are longest before others."""
    found = []
    for host in hosts:
        at = text.find(host) if host else -1
        while at >= 0:
            end = at + len(host)
            if not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
                found.append((at, end))
            at = text.find(host, end)
    return sorted(found, key=lambda place: (place[0], -place[1]))
