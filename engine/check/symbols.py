"""What a name can stand for in a Bicep file."""

from __future__ import annotations

from engine.parse import tree
from engine.record import Record
from engine.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.model import Model


class Kind(Words):
    """The kind of thing a symbol is."""

    METADATA = "metadata"
    PARAM = "parameter"
    VAR = "variable"
    RESOURCE = "resource"
    MODULE = "module"
    OUTPUT = "output"
    TYPE = "type"
    FUNC = "function"
    WILDCARD = "namespace import"
    EXTENSION = "extension"
    NAMESPACE = "namespace"
    ASSERT = "assertion"
    TEST = "test"
    LOOP_ITEM = "loop item"
    LOOP_INDEX = "loop index"
    LAMBDA_PARAMETER = "lambda parameter"
    FUNC_PARAMETER = "function parameter"
    BASE = "base parameters"
    UNKNOWN = "import"
    """What would come from a file that could not be read, or does not export it; reported where it is imported."""


class Symbol(Record):
    """One declared thing. Compared by identity in practice: a model makes each once.

    `declaration` is the statement, loop, lambda or import item that declares it (None for namespaces such as `sys`).
    For what an `import` brings in, `kind` is that of the thing imported, `home` the model that declares it and `original`
    its symbol there; for a `import * as ns`, `home` is the model (or None for an ARM JSON template: see `Model.imported_template`).
    For nested resources `parent` is the symbol of the enclosing resource.
    """

    name: str
    kind: Kind
    declaration: tree.Node | None
    parent: Symbol | None = None
    home: Model | None = None
    original: Symbol | None = None

    __hash__ = object.__hash__
    __eq__ = object.__eq__
