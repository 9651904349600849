"""From a checked program to findings: in goes a `Model`, out come diagnostics, some with fixes.

Reading order: `rule.py` what a rule is · `settings.py` which are on, at which level · `run.py` the entry ·
`configured.py` what is wrong with their configuration · `fixing.py` fixes, to a fixed point ·
`edits.py` common edits · `names.py`, `containers.py` what rules ask of a tree · `rules/` one file a rule, named for it.
"""
