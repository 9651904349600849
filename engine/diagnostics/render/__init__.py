"""Diagnostics in, text out: nobody else knows layout.

Reading order: `text.py` for people · `excerpt.py` the source line and what is marked in it · `json.py`, `sarif.py`,
`github.py`, `junit.py` for programs · `place.py` line and column in UTF-16 units.
"""
