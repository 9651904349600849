"""The steps strung together: a request comes in, what its verb gives goes out.

One function a verb; what they share stands in front. Refusals are `UlnaError`s.
Files: request.py what was asked and what came out · compiling.py text to template · restoring.py fetching.py what it
names in registries · target.py which environment · preparing.py template to native resources, against the state ·
verbs: planning.py · deploying.py · destroying.py · looking.py · publishing.py archive.py · snapshotting.py
"""
