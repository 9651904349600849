"""The steps strung together: a request comes in, what its verb gives goes out.

One function a verb; what they share stands in front. Refusals are `UlnaError`s.
Files: request.py what was asked and what came out · compiling.py text to template · target.py which environment ·
preparing.py template to native resources, against the state · verbs: planning.py · deploying.py · destroying.py · looking.py
"""
