"""What will change: wanted resources, the state and what is live come in, a `Plan` goes out. Pure.

The plan asks the same `Operator.diff` as the running pass, so the one does what the other says.
Files: graph.py the order · known.py which values can be known · verdict.py the table of causes · planner.py resource by
resource · change.py and plan.py the result · diff.py property by property · text.py and whatif.py for people · report.py for
programs · stored.py to keep and apply later
"""
