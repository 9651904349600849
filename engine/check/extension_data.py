"""The types that come with an extension, and its configuration compared with what it can be configured with."""

from __future__ import annotations

from engine.check.body import properties_of
from engine.check.extensions import name_of
from engine.check.misfits import Place
from engine.check.model import Model
from engine.check.references import REGISTRY, path_problem
from engine.check.report import Report
from engine.check.type_index import TypeIndex, is_index
from engine.check.types import SECURE_STRING, STRING, DiscriminatedType, ObjectType, PropertyType, Type
from engine.diagnostics.suggest import did_you_mean
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer
    from engine.check.load import Loader

_GRAPH = "microsoftgraph"
"""The extension whose types can be wrong, as those of Azure can."""

KUBERNETES = ObjectType(
    {
        "kubeConfig": PropertyType(SECURE_STRING, True),
        "namespace": PropertyType(STRING, True),
        "context": PropertyType(STRING),
    },
    name="configuration",
)


def types_of(
    loader: Loader, model: Model, reference: str, base: str, place: tree.Node, report: Report
) -> TypeIndex | None:
    """The types that a reference leads to; None where it leads to none that are at hand."""
    if reference.startswith(REGISTRY):
        path = loader.outside.types(model, reference, place, report)
    elif problem := path_problem(reference):
        report.error(problem[0], place, problem[1], problem[2])
        return None
    else:
        path = loader.sources.resolve(base, reference)
        if not loader.sources.exists(path) and not is_index(path.removesuffix(".tgz"), loader.sources):
            help = "It is a folder with an index.json, or such a folder packed as .tgz."
            report.error("BCP091", place, f"The types of the extension are not at '{reference}'", help)
            return None
    if path is None:
        return None
    types = TypeIndex(path, loader.sources, lenient=False)
    types.lenient = types.name.lower().startswith(_GRAPH)
    if types.empty:
        report.error("BCP396", place, f"The types of the extension in '{reference}' cannot be used: {types.problem}")
        return None
    return types


def configuration_of(model: Model, statement: tree.Extension) -> tuple[bool, Type | None]:
    """Whether it is known what an extension can be configured with, and what that is; None is nothing at all."""
    types = model.extension_types.get(id(statement))
    if types is not None:
        return True, types.configuration()
    if isinstance(statement.spec, tree.Name) and statement.spec.text == "kubernetes":
        return model.config.get("extensions", "kubernetes") == "builtin:", KUBERNETES
    return False, None


def compare_configuration(infer: Infer, statement: tree.Extension) -> None:
    """The configuration of one extension."""
    model, config = infer.model, statement.config
    known, type = configuration_of(model, statement)
    name = statement.alias.text if statement.alias else "the extension"
    if not known:
        return
    if type is None:
        if config is not None:
            infer.report.error("BCP205", config, f"'{name}' takes no configuration", "Remove it.")
        return
    later = model.config.feature("moduleExtensionConfigs")  # who uses the file as a module may give the rest
    if config is not None:
        _compare(infer, config, _optional(type) if later else type, Place(what="configuration"))
    elif not later and (missing := _required(type)):
        listed = ", ".join(f"'{n}'" for n in missing)
        infer.report.error(
            "BCP206", statement.spec, f"'{name}' must be configured: {listed}", "Write 'with { … }' after it."
        )


def compare_assignments(infer: Infer, using: tree.Using, target: Model) -> None:
    """What a parameter file configures are the extensions of its template, and all that the template leaves open."""
    declared = {name_of(s): s for s in target.file.statements if isinstance(s, tree.Extension)}
    given = {s.alias.text: s for s in infer.model.file.statements if isinstance(s, tree.ExtensionConfig)}
    for name, statement in given.items():
        if name and name not in declared:
            message = f"The file in use has no extension '{name}'"
            infer.report.error("BCP425", statement, message, did_you_mean(name, declared))
    missing = [name for name, each in declared.items() if name not in given and _open(target, each)]
    if missing and using.path is not None:
        names = ", ".join(f"'{n}'" for n in sorted(missing))
        help = "Configure them by extensionConfig name with { … }."
        infer.report.error("BCP424", using.path, f"No configuration for {names}", help)


def _open(model: Model, statement: tree.Extension) -> bool:
    """Whether an extension must be configured by who uses its file."""
    known, type = configuration_of(model, statement)
    set = properties_of(statement.config) if isinstance(statement.config, tree.Object) else {}
    return known and type is not None and any(name not in set for name in _required(type))


def _compare(infer: Infer, config: tree.Node, type: Type, place: Place) -> None:
    from engine.check.expect import expect

    expect(infer, config, type, place)


def _optional(type: Type) -> Type:
    if not isinstance(type, ObjectType):
        return type
    return type.replace(properties={n: p.replace(required=False) for n, p in type.properties.items()})


def _required(type: Type) -> list[str]:
    if isinstance(type, DiscriminatedType):
        return [type.key]
    return [n for n, p in type.properties.items() if p.required] if isinstance(type, ObjectType) else []
