"""From text to tree: a `Source` comes in, a `File` and its diagnostics go out.

Reading order: `tree.py` the nodes · `parser.py` the entry · `lexer.py` text to tokens · `driver.py` the loop over the
table · `table.py` the table, decoded row by row · `nodes.py` one method a grammar rule · `arm.py` the same for ARM's
expressions · `generate.py` grammar to table.
"""
