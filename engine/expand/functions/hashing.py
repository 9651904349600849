"""Names from hashes, the same as everywhere else: uniqueString() and guid()."""

from __future__ import annotations

from engine.contract.value import Value
from engine.expand.functions.signature import BOOL, INT, STRING, Library
from engine.expand.functions.text import as_text
from engine.template import murmur

LIBRARY = Library()
_NAMESPACE = bytes.fromhex("11fb06fb712d4ddd98c7e71bbd588830")


@LIBRARY.declare("uniqueString", STRING | INT | BOOL, rest=STRING | INT | BOOL, least=1)
def unique_string(*parts: Value) -> str:
    """13 base-32 digits of the 64-bit hash of the arguments, joined by hyphens."""
    return murmur.unique_string(*map(as_text, parts))


@LIBRARY.declare("guid", STRING | INT | BOOL, rest=STRING | INT | BOOL, least=1)
def guid(*parts: Value) -> str:
    """A version 5 UUID of the arguments, joined by hyphens."""
    return name_uuid("-".join(as_text(p) for p in parts))


def name_uuid(name: str) -> str:
    """The UUID, version 5, of a name in the namespace of templates."""
    from hashlib import sha1

    digest = bytearray(sha1(_NAMESPACE + name.encode("utf-8", "replace"), usedforsecurity=False).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x50
    digest[8] = digest[8] & 0x3F | 0x80
    h = digest.hex()
    return f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}"
