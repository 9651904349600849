"""The language server: in come an editor's buffers and questions, out go findings, words, places and edits.

To connect an editor, have it start `ulna lsp` for files that end in `.bicep` and `.bicepparam`, and talk over stdin
and stdout; `ulna lsp --help` shows the lines for Neovim, Helix, Emacs and VS Code. It needs the extra `ulna[lsp]`.

Every feature is a function without effects over an `Analysis`; only `server.py`, `questions.py` and `convert.py`
know the protocol.

Reading order: `server.py` `questions.py` `convert.py` `files.py` the protocol · `workspace.py` `buffers.py`
`loading.py` open files over those on disk · `growing.py` the tree of a text that is edited · `analysis.py` one
checked file · `positions.py` offsets and an editor's columns · `places.py` what stands at an offset ·
`occurrences.py` which name means what · `expected.py` `kinds.py` which type is wanted where · `describe.py`
`words.py` what is said about things · then a feature each: `hover.py` `completion/` `signature.py` `navigation.py`
`rename.py` `outline.py` `folding.py` `highlighting.py` `actions.py` `formatting.py` `restore.py`.
"""
