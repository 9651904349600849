"""One file a verb: its docstring describes it, `EXAMPLES` teach it, `arguments` declares its options, `run` runs it."""
