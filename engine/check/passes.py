"""The passes over one file, in their order: each sees what those before it found out."""

from __future__ import annotations

from collections.abc import Iterator

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
from engine.check.statements import check_parts, check_statement, type_symbols
from engine.check.twins import check_twins
from engine.check.type_cycles import check_type_cycles
from engine.parse import tree


class Checks:
    """The passes over one file. Made, it has bound all names and typed all symbols; what is in the statements comes one by
    one: a statement as soon as somebody asks for it, and whatever is left as `rest` is run through.
    """

    __slots__ = ("_checked", "infer", "params_file")

    def __init__(self, model: Model, report: Report) -> None:
        self.params_file = model.path.endswith(".bicepparam")
        self._checked: set[int] = set()
        read_target_scope(model, report)
        declare(model, import_symbols(model, report), report)
        Binder(model, report, params_file=self.params_file).run()
        check_cycles(model, report)
        check_twins(model, report)
        check_type_cycles(model, report)
        check_extensions(model, report)
        self.infer = Infer(model, report, params_file=self.params_file)
        if self.params_file:
            declare_base(self.infer)
        type_symbols(self.infer)

    def statement(self, statement: tree.Statement) -> None:
        """Checks one, unless that was done."""
        if id(statement) not in self._checked:
            self._checked.add(id(statement))
            check_statement(self.infer, statement)

    def rest(self) -> Iterator[None]:
        """Checks what is left, a little at each step."""
        for statement in self.infer.model.file.statements:
            self.statement(statement)
            yield
        check_parts(self.infer)
        yield
        if self.params_file:
            check_parameters_file(self.infer)
        check_positions(self.infer)
        yield
        check_loads(self.infer)
