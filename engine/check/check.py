"""From a path to a `Model`: parses a file and all it leads to, binds names, and checks what can be checked."""

from __future__ import annotations

from collections.abc import Mapping

from engine.check.load import Loader, Refused, empty_model, unreadable
from engine.check.model import Model
from engine.config.config import Config
from engine.sources.port import Sources, Unreadable
from engine.sources.text import read_text


def check(
    path: str, sources: Sources, config: Config | None = None, failures: Mapping[str, str] | None = None
) -> Model:
    """The model of the file at `path`, with what is wrong in it; those of its modules are in `Model.modules`.

    Without a `config` every file has the one nearest to it; a given one holds for the first file.
    A file that cannot be read gives an empty model with one error. What is named in registries is read from the cache
    alone, and what is not there is in `Model.missing`; `failures` says by reference why it could not be fetched.
    """
    absolute = sources.absolute(path)
    try:
        read_text(sources, absolute)
        model = Loader(absolute, path, sources, config, failures).load(absolute)
    except Unreadable as problem:
        model = empty_model(absolute, path)
        model.diagnostics = (unreadable(path, problem.reason),)
    except Refused as refused:
        model = empty_model(absolute, path)
        model.diagnostics = (unreadable(path, refused.message),)
    assert isinstance(model, Model), "a template is read by engine.template.read"
    return model
