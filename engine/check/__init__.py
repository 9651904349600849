"""From files to a checked program: in goes a path, out comes a `Model` with every name bound and every problem listed.

Reading order: `check.py` the entry · `load.py` files and the files they lead to · `outside.py` those in
registries · `passes.py` what is done to each ·
`model.py` `symbols.py` what comes out · `declare.py` `imports.py` `exports.py` what there is · `regions.py`
`bind.py` `bind_decorators.py` what names mean · `cycles.py` `type_cycles.py` · `types.py` `infer.py` `access.py` `operators.py`
`fold.py` `calls.py` `returns.py` `declared.py` `type_unions.py` `type_parts.py` `derived.py`
`arm_types.py` `platform_types.py` the types of things · `assign.py` `expect.py` `misfits.py`
whether they fit · `statements.py` `resources.py` `placement.py` `collections.py` `modules.py`
`body.py` `bounds.py` `decorators.py` `extensions.py`
`parameters_file.py` `pure.py` statement by statement · `positions.py` `loads.py` `constants.py` what may stand where ·
`catalogue.py` `schema.py` `resource_type.py` resource types, and where somebody gives them as data: `type_sources.py` which,
`type_names.py` a list of names, `type_index.py` `type_file.py` the types whole, `resource_body.py` what ARM adds, `indirect.py`
`lengths.py` `deployable.py` what else is compared then, `extension_data.py` those of extensions ·
`functions/` the built-in functions, as tables ·
`report.py` `suppress.py` `spelling.py` `references.py` `scopes.py` the small parts.
"""
