"""The languages, as lark grammars: `bicep.lark` and `expression.lark`.

They are read when tables are generated (`python -m engine.parse.generate`), never when a program is parsed.
"""
