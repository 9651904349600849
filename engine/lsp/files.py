"""The names that editors have for files, and ours."""

from __future__ import annotations

from urllib.parse import quote, unquote, urlsplit

SAFE = "/~!$&'()*+,;=:@"


def path_of(uri: str) -> str:
    """The path that identifies a file; what was never saved stands in a folder that does not exist."""
    parts = urlsplit(uri)
    path = unquote(parts.path)
    if parts.scheme == "file":
        drive = len(path) > 2 and path[0] == "/" and path[2] == ":"
        return f"//{parts.netloc}{path}" if parts.netloc else path[1:] if drive else path
    name = path.strip("/") or "unnamed"
    return f"/{parts.scheme or 'unknown'}:/{name}" + ("" if name.endswith((".bicep", ".bicepparam")) else ".bicep")


def uri_of(path: str) -> str:
    """The name of a file on disk."""
    if path.startswith("//"):
        return f"file:{quote(path, safe=SAFE)}"
    return f"file://{quote(path if path.startswith('/') else f'/{path}', safe=SAFE.replace(':', ''))}"
