"""The command line: words come in, a verb of the pipeline runs, text and an exit code go out.

Only the parser of the verb at hand is built, and heavy libraries are loaded by the verb that needs them.
Files: main.py the entry · verbs.py the table of verbs · guard.py no traceback gets out · parser.py, options.py the words ·
commands/ one file a verb · console.py where it speaks · progress.py, live.py what goes on · running.py, interrupts.py runs and
Ctrl-C · outcome.py what it came to · ordering.py · files.py · drawing/ graphs · completion/ for shells
"""
