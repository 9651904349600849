"""What is out there now: entries of the state come in, what their operators see goes out.

Files: observer.py
"""
