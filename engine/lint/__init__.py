"""From a checked program to findings: in goes a `Model`, out come diagnostics, some with fixes.

Reading order: `rule.py` what a rule is · `settings.py` which are on, at which level · `run.py` the entry ·
`edits.py` common edits · `names.py` what names tell · `rules/` one file a rule, named for it.
"""
