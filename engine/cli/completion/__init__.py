"""Shell completion: the verbs' parsers come in, a script goes out.

Files: words.py what there is to complete · bash.py · zsh.py · fish.py
"""
