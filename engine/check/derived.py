"""Types that are taken from resource types: `resourceInput<'T@v'>.path`."""

from __future__ import annotations

from engine.check import catalogue
from engine.check.resource_type import ResourceTypeName, read_full
from engine.check.types import ANY, UNKNOWN, Type
from engine.diagnostics.source import Span
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.declared import Declared

NAMES = ("resourceInput", "resourceOutput", "resource")


def derived(declared: Declared, node: tree.Parameterized) -> Type:
    """The type, `any` where type data do not have it; what is wrong with the name is reported."""
    report = declared.report
    if node.name.text not in NAMES:
        code, wrong = ("BCP383", node.span) if declared.is_type(node.name) else ("BCP302", node.name.span)
        report.error(code, wrong, f"There is no type '{node.name.text}' that takes others")
        return UNKNOWN
    opening = report.source.text.find("<", node.name.end, node.end)
    place = Span(opening if opening >= 0 else node.start, node.end)
    if len(node.arguments) != 1:
        report.error("BCP071", place, f"'{node.name.text}' takes one resource type, and gets {len(node.arguments)}")
        return UNKNOWN
    argument = node.arguments[0]
    if isinstance(argument, tree.Broken):
        return UNKNOWN
    if not isinstance(argument, tree.Text):
        report.error("BCP070", argument, f"'{node.name.text}' takes the name of a resource type, in quotes")
    elif argument.literal is None:
        report.error("BCP032", argument, "The name of a resource type must be a plain string, without '${…}'")
    elif (space := _namespace(argument.literal)) and space not in ("az", "sys"):
        report.error("BCP208", argument, f"There is no namespace '{space}'", "Leave it out, or write 'az:'.")
    elif (name := read_full(argument.literal.removeprefix("az:"))) is None:
        help = "Write 'Namespace/type@version'."
        report.error("BCP029", argument, f"'{argument.literal}' is no resource type", help)
    else:
        return _body(declared, name, argument)
    return UNKNOWN


def _body(declared: Declared, name: ResourceTypeName, place: tree.Text) -> Type:
    """The body of a resource type, all of which can be written and read."""
    types = declared.model.type_names
    if types is None or types.empty or catalogue.ours(name.type):
        return ANY
    data = types.data(name.type, name.version or "")
    if data is not None:
        from engine.check.resource_body import Adapter

        return Adapter(lambda property: property.replace(readonly=False, writeonly=False)).of(data.body)
    if types.official(name.type, name.version or "") is None:
        message = f"There is no type '{name.type}@{name.version}' in the list of types"
        declared.report.warning("BCP081", place, message, types.instead(name.type, name.version or ""))
    return ANY


def _namespace(name: str) -> str:
    """The namespace in front of the name of a resource type, if there is one."""
    before, colon, after = name.partition(":")
    return before if colon and read_full(after) is not None else ""


def is_resource(node: tree.Node) -> bool:
    """Whether it is `resource 'T@v'`, the type of an output that is a resource, and no `resource<'T@v'>`."""
    if not isinstance(node, tree.Parameterized) or node.name.text != "resource" or len(node.arguments) != 1:
        return False
    return node.arguments[0].end == node.end


def check_derived(declared: Declared) -> None:
    """A whole body is no type: some part of it must be taken."""
    model = declared.model
    taken: set[int] = set()
    if model.config.feature("resourceTypedParamsAndOutputs"):
        taken.update(id(output.type) for output in model.nodes(tree.Output) if is_resource(output.type))
    accesses = (tree.Member, tree.Index, tree.ItemsAccess, tree.RestAccess)
    for kind in accesses:
        taken.update(id(node.base) for node in model.nodes(kind))  # type: ignore[attr-defined]  # all have one
    for node in model.nodes(tree.Parameterized):
        if id(node) not in taken and declared.of(node) is not UNKNOWN:
            message = f"'{node.name.text}' gives the whole body of a resource, which is no type by itself"
            declared.report.error("BCP394", node, message, "Take a property of it: add .properties, for example.")
