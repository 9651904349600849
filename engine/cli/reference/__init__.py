"""The reference: in go docstrings and tables, out come pages, in the terminal (`ulna explain`) and as the files beside this.

Reading order: `page.py` what is said of one code or rule · `pages.py` the files, one function each · `__main__.py` writes them:
`python -m engine.cli.reference`. A test fails while they are stale.
"""
