"""That experimental features of the language are on, said once for a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.cli.console import Console


def warn_of_experiments(files: Iterable[str], console: Console) -> None:
    """One line on the features that the configurations of some files turn on, unless they ask for silence."""
    from engine.config.find import find_config
    from engine.sources.local import LocalSources

    sources = LocalSources()
    folders = dict.fromkeys(sources.absolute(file).rpartition("/")[0] for file in files)
    on: dict[str, None] = {}
    for folder in folders:
        config = find_config(f"{folder}/x.bicep", sources)
        features = config.get("experimentalFeaturesEnabled")
        if config.get("experimentalFeaturesWarning") is not False and isinstance(features, Mapping):
            on |= dict.fromkeys(name for name, value in features.items() if value is True)
    if on and console.problems == "text":
        console.say(f"warning: experimental features are on, and may change or go: {', '.join(on)}")
