"""Examples of every code: in goes a code, out comes a program that is found fault with, and one that is not.

`read.py` reads the pages, `*.txt`. A page has examples one after another:

    === BCP057                      the code; then its kind, if it is no .bicep file
    >>> lib.bicep                   any files beside it, each ended by <<<
    …
    <<<
    output x string = nam           what is found fault with
    ---
    param nam string                what is not
    output x string = nam

The kinds are `bicepparam`, `json` for a bicepconfig.json, `sh` for what somebody types, and `run`: the same, where the
tests type it too, in a folder with the files.
"""
