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
    if not hosts:
        return
    import re  # few files have any

    pattern = re.compile(r"(?<![\w-])(?:[\w-]+\.)*(?:" + "|".join(map(re.escape, hosts)) + r")(?![\w-])", re.IGNORECASE)
    for node in model.nodes(tree.Text):
        if not any("." in part for part in node.parts):
            continue
        text = model.source.text[node.start : node.end]
        for match in pattern.finditer(text):
            if not any(match[0].lower().endswith(host) for host in allowed):
                place = Span(node.start + match.start(), node.start + match.end())
                yield place, f"'{match[0]}' is the address of one cloud only"
