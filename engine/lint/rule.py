"""A rule: a name, a category and a generator of findings; its docstring is what `ulna explain` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.check.model import Model
from engine.check.report import Place
from engine.diagnostics.diagnostic import Fix
from engine.record import Record
from engine.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.diagnostics.examples.read import Example


class Category(Words):
    """What a rule is about; decides its level where the configuration does not."""

    BEST_PRACTICE = "best practice"
    POTENTIAL_ISSUE = "potential code issue"
    SECURITY = "security"
    STYLE = "style"
    PORTABILITY = "portability"
    LOCATION = "resource location"
    DEPLOYMENT_ERROR = "deployment error"
    STACKS = "deployment stack incompatibility"
    PLATFORM = "what platforms need"
    COMPATIBILITY = "compatibility with Bicep"


Finding = tuple[Place, str] | tuple[Place, str, Fix | None] | tuple[Place, str, Fix | None, str]
"""Where, what, and perhaps how to mend it, by an edit or in words."""

Check = Callable[[Model], Iterable[Finding]]


class Rule(Record):
    """One rule. `level` is given where the category's default does not hold."""

    code: str
    category: Category
    check: Check
    level: str | None = None
    tag: str | None = None
    """What editors are told beside: "unnecessary" or "deprecated"."""

    @property
    def ours(self) -> bool:
        """Whether only Ulna has it."""
        return self.code.startswith("ulna-")

    @property
    def page(self) -> str:
        """The docstring without its example: the first line says what the rule finds, the rest why and what to do."""
        return _parts(self.check)[0]

    @property
    def example(self) -> Example | None:
        """What stands below `Example:` in the docstring, or `Example (bicepparam):`: a bad program, three dashes, a good one."""
        from engine.diagnostics.examples.read import read

        _, kind, body = _parts(self.check)
        return read(self.code, kind, body) if body else None


def _parts(check: Check) -> tuple[str, str, str]:
    """The words of a docstring, the kind of its example, and the example's text."""
    from textwrap import dedent

    lines = (check.__doc__ or "").expandtabs().split("\n")
    text = dedent("\n".join(lines[1:]))
    words, found, rest = text.partition("\nExample")
    if not found:
        return f"{lines[0]}\n{text}".strip(), "", ""
    head, _, body = rest.partition("\n")
    return f"{lines[0]}\n{words}".strip(), head.strip(" ():"), dedent(body)


RULES: dict[str, Rule] = {}
"""The rules whose modules were imported, by name."""


def rule(
    code: str, category: Category = Category.BEST_PRACTICE, *, level: str | None = None, tag: str | None = None
) -> Callable[[Check], Check]:
    """Makes a generator a rule."""

    def register(check: Check) -> Check:
        assert code not in RULES, f"two rules are called {code}"
        RULES[code] = Rule(code, category, check, level, tag)
        return check

    return register
