"""All that a provider sees of the engine: data and protocols, no behaviour of the engine itself.

Reading order: `value.py` what a property can hold · `resource.py` a resource as it is wanted · `app.py` what the app model
lowers to · `operator.py` who owns resources · `platform.py` a compute kind · `provider.py` a plugin · `errors.py` how calls
fail · `difference.py` what a `diff` is made of · `variables.py` `$(NAME)` in texts · `cache.py` what can be made again ·
`caddy.py` a gateway as a proxy's configuration · `secretfiles.py` secrets where a kind has no store for them ·
`discover.py` finds and loads providers · `conformance.py` what every operator must pass.
"""
