"""Checks resources: their type, their place, and the properties that every resource has."""

from __future__ import annotations

from engine.check import catalogue
from engine.check.body import check_depends_on, check_loop_name, loop_of, properties_of
from engine.check.collections import check_collections
from engine.check.declare import body_of, key_text
from engine.check.expect import check_body, check_object
from engine.check.misfits import Place
from engine.check.placement import check_placement
from engine.check.resource_type import ResourceTypeName, qualified, read_full, read_nested
from engine.check.symbols import Symbol
from engine.check.types import ANY, STRING, UNKNOWN, AnyType, ArrayType, ObjectType, PropertyType, TupleType
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer
    from engine.check.type_names import TypeNames

META = frozenset({"parent", "scope", "dependsOn"})
"""Properties of a body that say where and when, not what."""

_SET = {name: PropertyType(STRING, readonly=True) for name in ("id", "type", "apiVersion")}
_NAMED = ObjectType({"name": PropertyType(ANY, True), **_SET}, additional=ANY)


def check_resource(infer: Infer, node: tree.Resource) -> None:
    """One resource, and those nested in it."""
    symbol = infer.model.bindings[id(node)]
    name = infer.model.resource_types.get(symbol)
    _conditions(infer, node.value)
    body = body_of(node.value)
    if body is None:
        return
    infer.type(body)
    no_any(infer, body)
    _place(infer, node, symbol, body)
    check_placement(infer, node, symbol, body)
    if infer.model.type_names is not None and infer.model.extension_of(symbol) is None:
        from engine.check.deployable import check_deployable

        check_deployable(infer, node, symbol, body)
    check_collections(infer, node)
    if name is not None and not _by_data(infer, node, symbol, body):
        schema = catalogue.writable(name) if not node.existing else None
        place = Place(node.name, what="resource")
        known = schema or _NAMED
        required = (
            known
            if catalogue.needs_name(infer.model, symbol) and not _doubtful(infer, node, symbol, body, name)
            else known.replace(properties={})
            if schema is None
            else known
        )
        check_object(infer, body, required, place, META)
    check_depends_on(infer, properties_of(body).get("dependsOn"))
    check_loop_name(infer, node, symbol, ("name", "scope", "parent"))
    for member in body.members:
        if isinstance(member, tree.Resource):
            check_resource(infer, member)


def _by_data(infer: Infer, node: tree.Resource, symbol: Symbol, body: tree.Object) -> bool:
    """Checks a body against type data; whether there are any."""
    type = catalogue.body_type(infer.model, symbol)
    if type is None:
        return False
    if symbol in infer.model.cyclic or not _sound(infer, node, body):
        return True
    place = Place(node.name, what="resource", resource=True)
    if node.existing:
        type = catalogue.identity(type)
        data = catalogue.data_of(infer.model, symbol)
        if data is not None and data.hidden and infer.model.extension_of(symbol) is not None:
            message = f"A '{data.name}' can only be deployed, and not be asked for"
            infer.report.error("BCP441", node.type, message, "Deploy it here, or take what is needed as a parameter.")
    check_body(infer, body, type, place, META)
    return True


def _sound(infer: Infer, node: tree.Resource, body: tree.Object) -> bool:
    """Whether a body can be compared with a type at all: of what is wrong in itself, that was said."""
    loop = loop_of(node.value)
    if loop is not None and not isinstance(infer.open(infer.type(loop.array)), ArrayType | TupleType | AnyType):
        return False
    own: list[tree.Node] = [body]
    nested: list[tree.Node] = []
    while own:
        top = own.pop()
        if isinstance(top, tree.Broken) or infer.model.types.get(id(top)) is UNKNOWN:
            return False
        if isinstance(top, tree.Object) and _doubled(top):
            return False
        for child in tree.children(top):
            (nested if isinstance(child, tree.Resource) else own).append(child)
    return not any(isinstance(part, tree.Broken) for each in nested for part in tree.walk(each))


def _doubled(node: tree.Object) -> bool:
    """Whether a property is given more than once."""
    keys = [key_text(m.key) for m in node.members if isinstance(m, tree.Property)]
    named = [key for key in keys if key is not None]
    return len(set(named)) < len(named)


_BY_KIND = frozenset({"microsoft.resources/deploymentscripts"})
"""Types of which there are several, told apart by `kind`: without it nothing is said of the rest."""


def _doubtful(infer: Infer, node: tree.Resource, symbol: Symbol, body: tree.Object, name: ResourceTypeName) -> bool:
    """Whether something else is wrong that has to be put right before a name can be asked for."""
    given = properties_of(body)
    if "name" in given:
        return False
    if symbol in infer.model.cyclic or (name.type.lower() in _BY_KIND and not _plain(given.get("kind"))):
        return True
    loop = loop_of(node.value)
    if loop is not None and not isinstance(infer.open(infer.type(loop.array)), ArrayType | TupleType | AnyType):
        return True
    return any(isinstance(part, tree.Broken) or infer.model.types.get(id(part)) is UNKNOWN for part in tree.walk(body))


def _plain(given: tree.Property | None) -> bool:
    return given is not None and isinstance(given.value, tree.Text) and bool(given.value.literal)


def _conditions(infer: Infer, value: tree.Node) -> None:
    """The types of the loop and the condition around the body."""
    if not isinstance(value, tree.Object):
        infer.type(loop_of(value) or value)


def type_name(infer: Infer, node: tree.Resource, symbol: Symbol) -> ResourceTypeName | None:
    """The full type of a resource; None where it is malformed, which is reported."""
    known = infer.model.resource_types.get(symbol)
    if known is not None:
        return known
    if isinstance(node.type, tree.Broken):
        return None
    text = node.type.literal if isinstance(node.type, tree.Text) else None
    if text is None:
        if isinstance(node.type, tree.Text):
            infer.report.error("BCP047", node.type, "The type of a resource must be a plain string, without '${…}'")
        return None
    space, bare = qualified(text) if symbol.parent is None else ("", text)
    named = _namespace(infer, node, space) if space else None
    if space and named is None and space != "az":
        return None
    name = read_full(bare) if symbol.parent is None else _nested(infer, text, symbol)
    if name is None and (infer.model.extension_types or infer.model.unfetched) and space != "az":
        name = read_nested(bare)
        if name is not None and named is None and catalogue.extension_for(infer.model, name) is None:
            name = None
    if name is None and symbol.parent is not None and symbol.parent not in infer.model.resource_types:
        message = f"The type of '{symbol.name}' is not known, for that of the resource around it is wrong"
        infer.report.error("BCP157", node.type, message, "Correct that one.")
        return None
    if name is None:
        form = "'Namespace/type@version'" if symbol.parent is None else "'type' or 'type@version'"
        code = "BCP029" if symbol.parent is None else "BCP156"
        infer.report.error(code, node.type, f"'{text}' is no resource type", f"Write {form}.")
        return None
    extension = named or (catalogue.extension_for(infer.model, name) if space != "az" else None)
    if not space and len(several := catalogue.extensions_with(infer.model, name)) > 1:
        choice = ", ".join(f"'{s.name}:{bare}'" for s in several)
        infer.report.error("BCP264", node.type, f"Several extensions have a type '{bare}'", f"Write {choice}.")
    if symbol.parent is not None and symbol.parent in infer.model.extensions:
        extension = infer.model.extensions[symbol.parent]
    if extension is not None:
        infer.model.extensions[symbol] = extension
        name = _extended(infer, node, name, extension, qualified=bool(space))
    elif "providers" in name.type.lower().split("/")[2:-1]:
        help = "Name the resource that it extends by 'scope'."
        infer.report.warning("BCP174", node.type, "Nothing is known of types that hold '/providers/'", help)
    elif infer.model.type_names is not None and name.version is not None:
        name = _listed(infer, node, name, name.version, infer.model.type_names)
    infer.model.resource_types[symbol] = name
    return name


def _namespace(infer: Infer, node: tree.Resource, space: str) -> Symbol | None:
    """The extension that a type names itself; what names none is reported."""
    found = next((s for s in infer.model.extension_symbols if s.name == space), None)
    if found is None and space != "az":
        known = ", ".join(f"'{n}'" for n in ["az", *(s.name for s in infer.model.extension_symbols)])
        infer.report.error("BCP208", node.type, f"There is no namespace '{space}'", f"Known are {known}.")
    return found if space != "az" else None


def _extended(
    infer: Infer, node: tree.Resource, name: ResourceTypeName, extension: Symbol, *, qualified: bool
) -> ResourceTypeName:
    """A type as its extension spells it; one that the extension does not have is reported."""
    types = infer.model.extension_types.get(id(extension.declaration))
    if types is None:
        return name
    version = name.version or ""
    if (official := types.official(name.type, version)) is not None:
        return name.replace(type=official)
    shown = f"{name.type}@{version}" if version else name.type
    if types.fallback() is not None:
        message = f"Extension '{extension.name}' has no type '{shown}'; it is checked as its others are"
        infer.report.warning("BCP081", node.type, message, types.instead(name.type, version))
    else:
        message = f"Extension '{extension.name}' has no type '{shown}'"
        code = "BCP209" if qualified else "BCP029"
        infer.report.error(code, node.type, message, types.instead(name.type, version))
    return name


def _listed(
    infer: Infer, node: tree.Resource, name: ResourceTypeName, version: str, names: TypeNames
) -> ResourceTypeName:
    """A type as the list of types spells it; what is neither there nor known otherwise is reported."""
    if catalogue.ours(name.type) or catalogue.writable(name) is not None:
        return name
    if (official := names.official(name.type, version)) is not None:
        return name.replace(type=official)
    if not names.empty:
        message = f"There is no type '{name.type}@{version}' in the list of types; its body is not checked"
        infer.report.warning("BCP081", node.type, message, names.instead(name.type, version))
    return name


def _nested(infer: Infer, text: str, symbol: Symbol) -> ResourceTypeName | None:
    assert symbol.parent is not None
    own = read_nested(text)
    outer = symbol.parent.declaration
    parent = type_name(infer, outer, symbol.parent) if isinstance(outer, tree.Resource) else None
    if own is None or parent is None:
        return None
    if "." in own.namespace and own.type.lower().startswith(parent.type.lower() + "/"):
        return None
    return ResourceTypeName(f"{parent.type}/{own.type}", own.version or parent.version)


def no_any(infer: Infer, body: tree.Object) -> None:
    """`parent` and `scope` decide where a thing goes: `any()` must not hide that."""
    for name in ("parent", "scope"):
        given = properties_of(body).get(name)
        function = infer.model.builtin(given.value) if given is not None else None
        if given is not None and function is not None and function.name == "any":
            infer.report.error("BCP176", given.value, f"'{name}' must be plain to see, and 'any()' hides it")


def _place(infer: Infer, node: tree.Resource, symbol: Symbol, body: tree.Object) -> None:
    """`parent` and nesting: where a resource stands under another."""
    given = properties_of(body)
    parent = given.get("parent")
    if symbol.parent is not None:
        outer = symbol.parent.declaration
        if isinstance(outer, tree.Resource) and loop_of(outer.value) is not None:
            infer.report.error(
                "BCP160",
                node.keyword,
                "A resource cannot be nested in one that is looped",
                "Declare it beside, with 'parent'.",
            )
        for name, code in (("parent", "BCP037"), ("scope", "BCP164")):
            if name in given:
                message = f"A nested resource has no '{name}': it belongs to what it is nested in"
                infer.report.error(code, given[name].key, message, "Remove it.")
    elif parent is not None:
        _parent(infer, symbol, parent)


def _parent(infer: Infer, symbol: Symbol, given: tree.Property) -> None:
    target = given.value
    while isinstance(target, tree.Parenthesized):
        target = target.inner
    base = target.base if isinstance(target, tree.Index) else target
    match base:
        case tree.Name() | tree.NestedMember():
            pass
        case tree.Broken():
            return
        case _:
            infer.report.error("BCP240", given.value, "The parent must be a resource, named directly")
            return
    parent = infer.model.bindings.get(id(base))
    if parent is not None and isinstance(parent.declaration, tree.ResourceParam):
        help = "Declare the resource with 'existing', and name that."
        infer.report.error("BCP229", given.value, f"Parameter '{parent.name}' cannot be the parent of a resource", help)
    if parent is None or not isinstance(parent.declaration, tree.Resource):
        return
    if symbol in infer.model.cyclic:
        return
    child, above = infer.model.resource_types.get(symbol), type_name(infer, parent.declaration, parent)
    if child and above:
        expected = above.type.lower().count("/") + 1
        if not child.type.lower().startswith(above.type.lower() + "/") or child.type.count("/") != expected:
            message = f"'{child.type}' cannot have '{parent.name}', a '{above.type}', as its parent"
            infer.report.error("BCP036", given.value, message)
