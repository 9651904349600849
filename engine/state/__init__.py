"""What is remembered: an append-only log of events an environment, and the state that is its fold.

In: events (`event.py`). Out: `State` (`fold.py`), a dictionary of `Entry` (`entry.py`) and the deployments. `codec.py` turns them
into JSON and back; `log.py` says what a log is, `owner.py` who may write to it; `memory.py` and `sqlite.py` keep one, `store.py`
opens the store of a `.ulna/` folder, `faults.py` puts what SQLite refuses into words. For teams, `postgres.py` keeps one in a
database, with `postgres_store.py`, `postgres_faults.py` and `address.py`, which tells one from a folder.
"""
