"""From text to tree: a `Source` comes in, a `File` and its diagnostics go out.

Reading order: `tree.py` and `expressions.py` the nodes · `parser.py` the entry · `tokens.py`, `lexer.py` text to tokens ·
`table.py` the generated table · `driver.py` the loop over it · `build_statements.py`, `build_types.py`,
`build_expressions.py`, `strings.py` one method a grammar rule · `recover.py`, `complain.py`, `expected.py`, `lookahead.py`
what happens at a syntax error · `depth.py` how deep programs may nest · `arm.py` ARM's expressions · `generate.py` grammar
to table.
"""
