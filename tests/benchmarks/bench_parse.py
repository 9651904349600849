"""How much faster the parser is than lark's own loop: `python tests/benchmarks/bench_parse.py [lines]`.

Both get the same table and the same tokens, and build the same tree: lark by its loop, a `Tree` and a `Transformer`,
ours by the driver. Then the start-up: a fresh process that parses, against one that does nothing.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

PIECE = """
@description('How many of service {0}')
param replicas{0} int = 3

var name{0} = 'app-${{uniqueString(resourceGroup().id)}}-{0}'
var labels{0} = {{
  app: name{0}
  tier: replicas{0} > 1 && environment != 'test' ? 'web' : 'job'
  'quoted-key': [1, 2, -3, true, null]
}}

// the service
resource service{0} 'Applications.Core/containers@2023-10-01-preview' = if (replicas{0} > 0) {{
  name: name{0}
  tags: union(labels{0}, {{ owner: 'team' }})
  properties: {{
    application: app.id
    container: {{
      image: '${{registry}}/service:${{tag}}'
      ports: {{
        web: {{
          containerPort: 8080 + {0}
        }}
      }}
      env: [for key in items(settings): {{
        name: key.key
        value: key.value ?? ''
      }}]
    }}
  }}
}}

output url{0} string = service{0}.properties.?url ?? 'none'
"""


def program(lines: int) -> str:
    """A program of about so many lines."""
    return "".join(PIECE.format(n) for n in range(max(1, lines // PIECE.count("\n"))))


def by_lark(text: str) -> Any:
    """A function that parses with lark's loop and transforms its tree."""
    from lark import Token, Transformer
    from lark.lexer import Lexer as LarkLexer

    from engine.parse import generate
    from engine.parse.build_statements import Build
    from engine.parse.parser import _LEXER, _TABLE

    names = {number: name for name, number in _TABLE.terminals.items()}

    class Feed(LarkLexer):
        """Our tokens as lark's."""

        def __init__(self, conf: Any) -> None:
            pass

        def lex(self, state: Any, parser: Any) -> Iterator[Token]:
            tokens = state
            for number, kind in enumerate(tokens.kinds[:-1]):
                yield Token(names[kind], number, tokens.starts[number])

    lark = generate.grammar("bicep", lexer=Feed)

    class Nodes(Transformer):  # type: ignore[type-arg]
        """The same methods; a rule without any is handed up."""

        def __init__(self, build: Build) -> None:
            super().__init__(visit_tokens=False)
            self.build = build

        def _call_userfunc(self, tree: Any, children: Any = None) -> Any:
            values = [c.value if type(c) is Token else c for c in (tree.children if children is None else children)]
            method = None if tree.data == "unary" and len(values) == 1 else getattr(self.build, tree.data, None)
            return method(*values) if method else values[0]

    def parse() -> Any:
        tokens = _LEXER.tokens(text)
        return Nodes(Build(tokens)).transform(lark.parser.parser.parse(_Thread(Feed(None), tokens), "file"))

    return parse


class _Thread:
    """What lark's loop wants of a lexer that runs."""

    def __init__(self, lexer: Any, state: Any) -> None:
        self.lexer = lexer
        self.state = state

    def lex(self, parser: Any) -> Any:
        """The tokens."""
        return self.lexer.lex(self.state, parser)


def best(function: Any, rounds: int) -> float:
    """The least CPU time of some rounds."""
    times = []
    for _ in range(rounds):
        start = process_time()
        function()
        times.append(process_time() - start)
    return min(times)


def fresh(code: str, rounds: int = 7) -> float:
    """The least CPU time of a fresh process that runs the code."""
    import os
    import resource

    times = []
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2], env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def main() -> None:
    """Measure and print."""
    sys.setrecursionlimit(100_000)  # lark's transformer recurses along every list
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 900
    text = program(lines)
    from engine.diagnostics.source import Source
    from engine.parse.parser import parse

    ours = best(lambda: parse(Source("bench.bicep", text)), 9)
    theirs = best(by_lark(text), 3)
    count = text.count("\n")
    print(
        f"{count} lines: ours {count / ours:,.0f} lines/s, lark {count / theirs:,.0f} lines/s: {theirs / ours:.1f} times"
    )
    nothing = fresh("pass")
    with tempfile.TemporaryDirectory() as folder:
        for size in (98, 5000):
            file = Path(folder, f"{size}.bicep")
            file.write_text(program(size), encoding="utf-8")
            code = (
                "from engine.parse.parser import parse; from engine.diagnostics.source import Source; "
                f"assert not parse(Source('x.bicep', open({str(file)!r}).read()))[1]"
            )
            print(f"fresh process, {size} lines: {fresh(code) / nothing:.1f} times `python -c pass`")


if __name__ == "__main__":
    main()
