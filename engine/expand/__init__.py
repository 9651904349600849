"""Expand: a template, its arguments and a place become one flat graph of resources.

In come a `Template`, arguments, a `Scope`, a `Vault` and what is known of the outside; out come `Desired` and diagnostics.
Pure. Everything is computed when it is first asked for, so order in a template does not matter.
Files: desired.py the result · expand.py the whole step · world.py what one expansion shares · frame.py one use of a template ·
unit.py its resources · identity.py names and ids · scopes.py levels and ids · modules.py templates within · references.py what a
text names · loops.py · form.py what is malformed · parameters.py, schema.py arguments and their checks · functions_of.py a
template's own functions · graph.py which resources there are · body.py one resource · waits.py, order.py dependencies ·
evaluate.py expressions and JSON · apply.py one call, deferred or sealed where it must be · lambdas.py · host.py · once.py ·
resolve.py deferred values, later · constant.py an expression alone ·
placeholders.py what stays open where nothing is deployed · writer.py values back to expressions ·
vault.py secrets in memory · functions/ the library
"""
