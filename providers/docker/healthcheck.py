"""Probes as Docker's health check: a command that the engine runs in the container. Pure.

A readiness probe of kind exec is the command itself. Everything else is one script for `sh`: HTTP is asked with curl, wget or
python3, whichever the image has; TCP is read from the kernel's table of listening sockets, which needs no tool. A liveness
probe that fails often enough kills the program, so that the restart policy of the container starts it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Any

from engine.contract.app import Exec, HttpGet, Probe, TcpConnect
from engine.contract.value import Properties

NO_TOOL = "ulna: the image has no curl, wget or python3"
"""What the script prints where it cannot ask: the probe is then made from where Ulna runs."""

_SECOND = 1_000_000_000

_BOUNDED = """bounded() { s=$1; shift; "$@" & p=$!; (sleep "$s"; kill -9 $p) >/dev/null 2>&1 & w=$!
wait $p; r=$?; kill $w 2>/dev/null; return $r; }"""
_HTTP = f"""http() {{ s=$1; u=$2; shift 2
if command -v curl >/dev/null; then
  for h; do set -- "$@" -H "$h"; shift; done; curl -fsS -o /dev/null --max-time "$s" "$@" "$u"
elif command -v wget >/dev/null; then
  for h; do set -- "$@" --header "$h"; shift; done; bounded "$s" wget -q -O /dev/null "$@" "$u"
elif command -v python3 >/dev/null; then
  bounded "$s" python3 -c 'import sys, urllib.request as r
q = r.Request(sys.argv[1], headers=dict(h.split(": ", 1) for h in sys.argv[2:])); r.urlopen(q)' "$u" "$@"
else echo '{NO_TOOL}'; exit 125; fi; }}"""
_TCP = """tcp() { for f in /proc/net/tcp /proc/net/tcp6; do [ -r $f ] && while read -r _ l _ t _; do
case "$l $t" in 0100007F:*|0*01000000:*) ;; *:"$1 0A") return 0;; esac; done <$f; done; echo "nothing listens on port $2"; return 1; }"""
_LIVE = """n=0; read -r l </proc/1/stat; set -- $l; read -r up _ </proc/uptime
[ $((${up%%.*} - ${22} / 100)) -lt @DELAY@ ] && n=-1
if [ $n = 0 ] && ! live; then
  read -r n 2>/dev/null </dev/shm/.ulna-liveness; n=$((${n:-0} + 1))
  if [ $n -ge @THRESHOLD@ ]; then
    echo 'the liveness probe failed: ended, to be started again'
    if [ "$2" = '(docker-init)' ]; then
      for d in /proc/[0-9]*; do while read -r k v; do
        [ "$k $v" = 'PPid: 1' ] && kill -9 "${d#/proc/}"; done <$d/status; done 2>/dev/null
    else kill -15 1; fi
  fi
  echo $n >/dev/shm/.ulna-liveness; exit 1
fi
[ $n = 0 ] && echo 0 >/dev/shm/.ulna-liveness"""


def written(probe: Probe) -> dict[str, Any]:
    """A probe as a container's resource has it: times in seconds."""
    rhythm = {
        "delay": probe.initial_delay,
        "period": max(probe.period, 1),
        "timeout": max(probe.timeout, 1),
        "threshold": probe.failure_threshold,
    }
    match probe.check:
        case HttpGet(port, path, headers):
            return {"kind": "http", "port": port, "path": path, "headers": dict(headers), **rhythm}
        case TcpConnect(port):
            return {"kind": "tcp", "port": port, **rhythm}
        case Exec(command):
            return {"kind": "exec", "command": list(command), **rhythm}


def healthcheck(wish: Properties) -> dict[str, Any] | None:
    """The `Healthcheck` of the create options; None without a probe."""
    readiness, liveness = wish.get("readiness"), wish.get("liveness")
    probes = [p for p in (readiness, liveness) if p is not None]
    if not probes:
        return None
    period = min(p["period"] for p in probes)
    seconds = sum(p["timeout"] for p in probes)
    counted = probes[0]
    if liveness is None and counted["kind"] == "exec":
        words = counted["command"]
    else:
        words = ["/bin/sh", "-c", script(readiness, liveness, period)]
        seconds += 2
    return {
        "Test": ["CMD", *words],
        "Interval": int(period * _SECOND),
        "Timeout": int(seconds * _SECOND),
        "StartPeriod": int(counted["delay"] * _SECOND),
        "Retries": _scaled(counted, period),
    }


def script(readiness: Mapping[str, Any] | None, liveness: Mapping[str, Any] | None, period: float) -> str:
    """The script: first whether it lives, then whether it is ready."""
    parts = list(_functions({p["kind"] for p in (readiness, liveness) if p is not None}))
    if liveness is not None:
        parts.append(f"live() {{ {_ask(liveness)}; }}")
        live = _LIVE.replace("@DELAY@", str(int(liveness["delay"])))
        parts.append(live.replace("@THRESHOLD@", str(_scaled(liveness, period))))
    parts.append(_ask(readiness) if readiness is not None else "exit 0")
    return "\n".join(parts)


def _scaled(probe: Mapping[str, Any], period: float) -> int:
    """How many failures count, when the check is made more often than the probe wants."""
    return max(1, -int(-probe["threshold"] * probe["period"] // period))


def _functions(kinds: set[str]) -> Iterator[str]:
    """What the probes call, each once. The container is asked by its own name: what listens on its loopback is not reachable."""
    if kinds & {"http", "exec"}:
        yield _BOUNDED
    if "http" in kinds:
        yield _HTTP
        yield "read -r host </etc/hostname"
    if "tcp" in kinds:
        yield _TCP


def _ask(probe: Mapping[str, Any]) -> str:
    seconds = f"{probe['timeout']:g}"
    match probe["kind"]:
        case "http":
            path = probe["path"] if probe["path"].startswith("/") else f"/{probe['path']}"
            words = [f"{name}: {value}" for name, value in probe["headers"].items()]
            return " ".join(["http", seconds, f'"http://$host:{probe["port"]}"{quote(path)}', *map(quote, words)])
        case "tcp":
            return f"tcp {probe['port']:04X} {probe['port']}"
        case _:
            return " ".join(["bounded", seconds, *map(quote, probe["command"])])
