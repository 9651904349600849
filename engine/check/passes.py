"""The passes over one file, in their order: each sees what those before it found out."""

from __future__ import annotations

from engine.check.bind import Binder
from engine.check.cycles import check_cycles
from engine.check.declare import declare
from engine.check.extensions import check_extensions
from engine.check.imports import import_symbols
from engine.check.infer import Infer
from engine.check.loads import check_loads
from engine.check.model import Model
from engine.check.parameters_file import check_parameters_file, declare_base
from engine.check.positions import check_positions
from engine.check.report import Report
from engine.check.scopes import read_target_scope
from engine.check.statements import check_statements
from engine.check.twins import check_twins
from engine.check.type_cycles import check_type_cycles


def run_passes(model: Model, report: Report) -> None:
    """Declares, binds and checks; fills the model and the report."""
    params_file = model.path.endswith(".bicepparam")
    read_target_scope(model, report)
    declare(model, import_symbols(model, report), report)
    Binder(model, report, params_file=params_file).run()
    check_cycles(model, report)
    check_twins(model, report)
    check_type_cycles(model, report)
    check_extensions(model, report)
    infer = Infer(model, report, params_file=params_file)
    if params_file:
        declare_base(infer)
    check_statements(infer)
    if params_file:
        check_parameters_file(infer)
    check_positions(infer)
    check_loads(infer)
