"""One schema a compute kind: `<kind>.json` is its `runtimes` block, `<kind>.compute.json` its `compute` block."""
