"""Address ranges and URIs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.contract.value import Value
from engine.expand.functions.signature import INT, OBJECT, STRING, EvaluationError, Library

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network

LIBRARY = Library()


def _network(function: str, text: str) -> IPv4Network | IPv6Network:
    from ipaddress import ip_network

    if "/" in text:
        try:
            return ip_network(text, strict=False)
        except ValueError:
            pass
    raise EvaluationError(f"Argument 1 of {function}() is '{text}', which is no address range such as '10.0.0.0/16'")


@LIBRARY.declare("cidrSubnet", STRING, INT, INT)
def cidr_subnet(text: str, prefix: int, index: int) -> str:
    """The subnet number so and so, of a prefix length, within a range."""
    network = _network("cidrSubnet", text)
    if not network.prefixlen <= prefix <= network.max_prefixlen:
        raise EvaluationError(
            f"Argument 2 of cidrSubnet() is {prefix}, and must lie between {network.prefixlen} and {network.max_prefixlen}"
        )
    count = 1 << prefix - network.prefixlen
    if not 0 <= index < count:
        raise EvaluationError(f"Argument 3 of cidrSubnet() is {index}, and '{text}' holds {count} subnets of /{prefix}")
    return f"{network.network_address + (index << network.max_prefixlen - prefix)}/{prefix}"


@LIBRARY.declare("cidrHost", STRING, INT)
def cidr_host(text: str, index: int) -> str:
    """The usable host address number so and so, counted from 0."""
    network = _network("cidrHost", text)
    spare = 1 if network.version == 4 and network.prefixlen < 31 else 0
    if not 0 <= index < network.num_addresses - 1 - spare:
        raise EvaluationError(f"Argument 2 of cidrHost() is {index}, outside of the hosts of '{text}'")
    return str(network.network_address + index + 1)


@LIBRARY.declare("parseCidr", STRING)
def parse_cidr(text: str) -> dict[str, Value]:
    """Network, mask, broadcast (IPv4 only), first and last usable address, and prefix length of a range."""
    network = _network("parseCidr", text)
    first, last = network.network_address, network.broadcast_address
    parts: dict[str, Value] = {"network": str(first), "netmask": str(network.netmask)}
    if network.version == 4:
        parts["broadcast"] = str(last)
        if network.prefixlen < 31:
            first, last = first + 1, last - 1
    return {**parts, "firstUsable": str(first), "lastUsable": str(last), "cidr": network.prefixlen}


@LIBRARY.declare("uri", STRING, STRING)
def uri(base: str, relative: str) -> str:
    """An absolute URI from a base and what is relative to it."""
    from urllib.parse import urljoin, urlsplit

    try:
        if urlsplit(base).scheme:
            return urljoin(base, relative)
    except ValueError as error:
        raise EvaluationError(f"uri() cannot join '{base}' and '{relative}': {error}") from None
    raise EvaluationError(f"Argument 1 of uri() is '{base}', which is no absolute URI")


@LIBRARY.declare("parseUri", STRING)
def parse_uri(text: str) -> dict[str, Value]:
    """Scheme, host, port, path and query of a URI."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise EvaluationError(f"parseUri() cannot read '{text}': {error}") from None
    if not parts.scheme or not parts.hostname:
        raise EvaluationError(f"Argument 1 of parseUri() is '{text}', which is no absolute URI")
    port = port or {"http": 80, "https": 443, "ftp": 21, "ws": 80, "wss": 443}.get(parts.scheme)
    return {
        "scheme": parts.scheme,
        "host": parts.hostname,
        "port": port,
        "path": parts.path or "/",
        "query": f"?{parts.query}" if parts.query else "",
    }


@LIBRARY.declare("buildUri", OBJECT)
def build_uri(parts: dict[str, Value]) -> str:
    """The URI that parseUri() would take apart into this."""
    scheme, host = parts.get("scheme", "https"), parts.get("host")
    if type(scheme) is not str or type(host) is not str or not host:
        raise EvaluationError("Argument 1 of buildUri() needs a 'host', and a 'scheme' other than https must be text")
    port, path, query = parts.get("port"), parts.get("path") or "/", parts.get("query") or ""
    if port is not None and type(port) is not int:
        raise EvaluationError("The 'port' given to buildUri() must be an integer")
    usual = {"http": 80, "https": 443, "ftp": 21, "ws": 80, "wss": 443}.get(scheme)
    at = "" if port in (None, -1, usual) else f":{port}"
    host = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"{scheme}://{host}{at}/{str(path).removeprefix('/')}{_query(str(query))}"


def _query(text: str) -> str:
    return "" if not text else text if text.startswith("?") else f"?{text}"
