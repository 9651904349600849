"""Makes it true: from a batch of wishes to events, until everything is settled.

In: a `Batch` (`batch.py` computes it from a desired graph), operators, a log. Out: events, and a `Settlement`.
The core has no I/O: a pass (`passes.py`) is a generator that yields what it wants (`effects.py`); `engine.py` stores what it
writes and has a runner (`runner.py`) make its calls. Reading order: `effects.py`, `passes.py` with what it asks (`gate.py`,
`ownership.py`, `report.py`, `composite.py`, `retiring.py`), `lifecycle.py`, `model.py`, `queue.py`, `backoff.py`, `edit.py`,
`undecided.py`, `call.py`, `wishes.py`, `engine.py`, `feed.py`, `settlement.py`, `why.py`.
"""
