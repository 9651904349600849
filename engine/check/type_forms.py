"""Type expressions that are put together in ways no type can be, whatever the names in them mean."""

from __future__ import annotations

from engine.check.mends import rename
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer


def check_type_forms(infer: Infer) -> None:
    """Every type expression of the file."""
    model, report = infer.model, infer.report
    for node in model.nodes(tree.ObjectType):
        _object(infer, node)
    for derived in model.nodes(tree.Parameterized):
        if derived.name.text != "resource":
            continue
        if report.source.text[derived.name.end : derived.end].lstrip().startswith("<"):
            message = "'resource<…>' does not say whether it is what a resource takes or what it gives"
            fix = rename(derived.name, "resourceInput")
            report.warning("BCP409", derived, message, "Write resourceInput<…> or resourceOutput<…>.", fix=fix)
        elif not model.config.feature("resourceTypedParamsAndOutputs"):
            help = "Set experimentalFeaturesEnabled.resourceTypedParamsAndOutputs in bicepconfig.json."
            report.error("BCP231", derived, "This is an experiment that is not switched on", help)


def _object(infer: Infer, node: tree.ObjectType) -> None:
    members = [m for m in node.members if isinstance(m, tree.TypeProperty)]
    rest = [m for m in members if m.key is None]
    for member in rest if len(rest) > 1 else ():
        infer.report.error("BCP315", member, "An object type says once what other properties it may have")
    for member in members:
        if isinstance(member.key, tree.Text) and member.key.holes:
            infer.report.error("BCP296", member.key, "The name of a property of a type must be a plain string")
