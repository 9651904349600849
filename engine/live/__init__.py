"""The engine that stays: one deployment supervised, watched, commanded, and edited while it runs.

In: a request, and what people ask for meanwhile. Out: the feed, logs, answers to questions. A `Host` owns the engine and the
lease, and runs it in a thread of its own; everything else here is a face of it.

Files: host.py the engine in its thread · stopping.py in which order what runs is stopped · tails.py the logs of all that runs ·
watching.py changes from outside ·
reloading.py what a changed file asks for · desk.py where people ask for something · goal.py when an operation is done ·
declared.py the commands of a template · actions.py, launching.py what they do · overrides.py what people set ·
session.py, rows.py, book.py what faces see · api.py, server.py, pages.py HTTP · address.py, client.py the way to a run
"""
