"""What is fuzzed: a function each, from the text of one or several files to nothing; whatever it raises is a finding."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

from engine.build.build import build
from engine.build.limits import limits
from engine.build.parameters import build_parameters, failing_parameters
from engine.build.render import render
from engine.check.check import check
from engine.check.model import Model
from engine.config.find import find_config
from engine.decompile.assignments import decompile_parameters
from engine.decompile.decompile import decompile
from engine.diagnostics.diagnostic import Diagnostic, Severity, UlnaError, has_errors
from engine.diagnostics.render.text import render as as_text
from engine.diagnostics.source import Source, Span
from engine.expand.constant import constant
from engine.expand.desired import Scope
from engine.expand.expand import expand
from engine.expand.vault import MemoryVault
from engine.format.format import format
from engine.format.options import Options
from engine.lint.fixing import Seen, fix
from engine.lint.run import lint
from engine.parse import tree
from engine.parse.arm import ExpressionError, parse_expression
from engine.parse.parser import parse
from engine.pipeline.arguments import given
from engine.pipeline.snapshotting import Place, difference, take
from engine.sources.jsonc import Malformed, Places, load
from engine.sources.memory import MemorySources
from engine.sources.reference import Misnamed, parse_reference
from engine.template.read import read
from tests.format.whole import comments, words

SEPARATOR = "\x1e"
"""Stands between the files of one input."""

SCOPE = Scope("app", now="2026-03-04T05:06:07Z", seed="seed", location="westus")
Target = Callable[[str], None]
TARGETS: dict[str, tuple[str, Target]] = {}
"""By name: the kind of input it takes, and the function."""


def target(kind: str) -> Callable[[Target], Target]:
    """Make a function a target, by its own name."""

    def register(function: Target) -> Target:
        TARGETS[function.__name__] = (kind, function)
        return function

    return register


# ---------------------------------------------------------------- what must hold


def placed(found: tuple[Diagnostic, ...] | list[Diagnostic]) -> None:
    """Findings lie inside the text they are about, and can be printed."""
    for one in found:
        for label in (one.primary, *one.related):
            if label is not None:
                assert 0 <= label.span.start <= label.span.end <= len(label.source.text), one
        assert one.message, one
    as_text(found)


def nested(file: tree.File) -> None:
    """Children lie inside their parents."""
    for node in tree.walk(file):
        for child in tree.children(node):
            assert node.start <= child.start <= child.end <= node.end, (node, child)


def stable(text: str, name: str, options: Options) -> None:
    """Formatting twice is formatting once, and nothing is lost."""
    once = format(Source(name, text), options)
    assert format(Source(name, once), options) == once, "it is formatted otherwise the second time"
    assert words(once, name) == words(text, name), "words are lost"
    assert comments(once, name) == comments(text, name), "comments are lost"


def files(text: str, *names: str) -> MemorySources:
    """The files of an input by their names; those it does not have are not there."""
    return MemorySources(dict(zip(names, text.split(SEPARATOR), strict=False)))


def checked(sources: MemorySources, path: str) -> Model:
    """The model of a file, every finding looked at."""
    model = check(path, sources)
    for each in model.everything():
        placed(each.diagnostics)
    return model


def wrong(model: Model) -> bool:
    """Whether a file, or one that it uses, has errors."""
    return any(has_errors(m.diagnostics) for m in model.everything())


# ---------------------------------------------------------------- the language


@target("bicep")
def parsing(text: str) -> None:
    """Any text, as a program."""
    file, found = parse(Source("main.bicep", text))
    placed(found)
    nested(file)


@target("bicepparam")
def parsing_parameters(text: str) -> None:
    """Any text, as a parameter file."""
    file, found = parse(Source("main.bicepparam", text))
    placed(found)
    nested(file)


@target("bicep")
def checking(text: str) -> None:
    """Types and names."""
    placed(limits(checked(files(text, "main.bicep"), "main.bicep")))


@target("modules")
def checking_modules(text: str) -> None:
    """A program with a module, and a text it loads."""
    model = checked(files(text, "main.bicep", "other.bicep", "data.json"), "main.bicep")
    for each in model.everything():
        placed(limits(each))


@target("bicep")
def linting(text: str) -> None:
    """All rules, and the fixes they offer, alone."""
    model = check("main.bicep", MemorySources({"main.bicep": text}))
    found = lint(model)
    placed(found)
    for one in (*model.diagnostics, *found):
        if one.fix is not None:
            changed = text
            for edit in reversed(one.fix.edits):
                assert 0 <= edit.span.start <= edit.span.end <= len(text), one
                changed = changed[: edit.span.start] + edit.text + changed[edit.span.end :]
            parse(Source("main.bicep", changed))


@target("bicep")
def mending(text: str) -> None:
    """The fixes carried out, all of them, one after the other: no more is wrong than before."""

    def look(text: str) -> Seen:
        model = check("main.bicep", MemorySources({"main.bicep": text}))
        found = (*model.diagnostics, *lint(model))
        errors = sum(d.severity is Severity.ERROR for d in found)
        comments = tuple(Span(c.start, c.end) for c in model.file.comments)
        return Seen(found, sum(d.severity is Severity.ERROR for d in model.diagnostics), errors, comments)

    for unsafe in (False, True):
        fixed = fix(text, look, unsafe)
        assert look(fixed.after).errors <= look(text).errors
        placed(fixed.left)


@target("bicep")
def building(text: str) -> None:
    """To JSON, in both forms."""
    model = check("main.bicep", MemorySources({"main.bicep": text}))
    if not wrong(model):
        for symbolic in (False, True):
            template, found = build(model, symbolic=symbolic)
            placed(found)
            if not has_errors(found):
                load(Source("main.json", render(template)))


@target("modules")
def building_modules(text: str) -> None:
    """A program with a module, to JSON."""
    model = check("main.bicep", files(text, "main.bicep", "other.bicep", "data.json"))
    if not wrong(model):
        template, found = build(model)
        placed(found)
        render(template)


@target("bicep")
def formatting(text: str) -> None:
    """Wide and narrow."""
    stable(text, "main.bicep", Options())
    stable(text, "main.bicep", Options(width=20))


@target("bicepparam")
def formatting_parameters(text: str) -> None:
    """A parameter file."""
    stable(text, "main.bicepparam", Options())


@target("modules")
def expanding(text: str) -> None:
    """A program and its module, to a graph."""
    model = check("main.bicep", files(text, "main.bicep", "other.bicep", "data.json"))
    if not wrong(model):
        template, found = build(model, symbolic=True, hashed=False)
        if not has_errors(found):
            placed(expand(template, {}, SCOPE, MemoryVault(b"key"))[1])


@target("parameters")
def building_parameters(text: str) -> None:
    """A parameter file, the template it uses, and the file it extends."""
    model = checked(files(text, "main.bicepparam", "main.bicep", "base.bicepparam"), "main.bicepparam")
    placed(failing_parameters(model, constant))
    if not wrong(model):
        placed(build_parameters(model, constant)[1])


@target("parameters")
def snapshots(text: str) -> None:
    """A parameter file and its template, predicted."""
    sources = files(text, "main.bicepparam", "main.bicep", "base.bicepparam")
    try:
        document, found = take("main.bicepparam", sources, Place(), restore=False)
    except UlnaError as error:
        placed(error.diagnostics)
        return
    placed(found)
    assert difference(document, document, "main.snapshot.json")[0].changes == ()


# ---------------------------------------------------------------- JSON


@target("template")
def decompiling(text: str) -> None:
    """A template, to Bicep that stands as it is."""
    texts, found = decompile(Source("main.json", text))
    placed(found)
    assert texts or has_errors(found)
    for name, bicep in texts.items():
        assert format(Source(name, bicep)) == bicep, "it is not in its canonical form"


@target("json")
def decompiling_parameters(text: str) -> None:
    """A parameter file, to Bicep that stands as it is."""
    bicep, found = decompile_parameters(Source("p.json", text), "./main.bicep", Options())
    placed(found)
    assert bicep is not None or has_errors(found)
    if bicep is not None:
        assert format(Source("p.bicepparam", bicep)) == bicep
        assert not parse(Source("p.bicepparam", bicep))[1]


@target("template")
def recompiling(text: str) -> None:
    """What decompiling gives can be read; `?` marks what it could not tell."""
    texts, _ = decompile(Source("main.json", text))
    for name, bicep in texts.items():
        problems = parse(Source(name, bicep))[1]
        assert not problems or "?" in bicep, (problems[0], bicep)
        check(name, MemorySources(texts))


@target("template")
def expanding_json(text: str) -> None:
    """A template as it is, to a graph."""
    template, found = read(Source("main.json", text))
    placed(found)
    if not has_errors(found):
        placed(expand(template, {}, SCOPE, MemoryVault(b"key"))[1])


@target("expression")
def expressions(text: str) -> None:
    """The inside of `"[…]"`, read and evaluated."""
    try:
        parse_expression(text)
    except ExpressionError as problem:
        assert 0 <= problem.offset <= len(text)
        return
    document = {"resources": {}, "outputs": {"x": {"type": "object", "value": f"[{text}]"}}}
    from engine.template.template import Template

    placed(expand(Template("app", document), {}, SCOPE, MemoryVault(b"key"))[1])


@target("json")
def reading_json(text: str) -> None:
    """JSON with comments, and where its parts stand."""
    source = Source("a.json", text)
    try:
        load(source)
    except Malformed as problem:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
        return
    for label in Places(source).values():
        assert 0 <= label.span.start <= label.span.end <= len(text)


@target("config")
def configuring(text: str) -> None:
    """A bicepconfig.json over a program, read for checking, linting and formatting."""
    from engine.format.options import from_settings

    program = "param password string = 'x'\nextension radius\nmodule m 'br/a:b:c' = { name: 'm' }\nvar u = 1\n"
    sources = MemorySources({"main.bicep": program, "bicepconfig.json": text})
    config = find_config("/main.bicep", sources)
    placed(config.diagnostics)
    model = check("main.bicep", sources)
    placed(model.diagnostics)
    placed(lint(model))
    settings = config.get("formatting", default={})
    format(model.source, from_settings(settings if isinstance(settings, dict) else {}))


@target("json")
def arguments(text: str) -> None:
    """A file of arguments for a template."""
    document = {"parameters": {"a": {"type": "int"}, "b": {"type": "object"}}}
    for call in (["@p.json"], [f"a={text[:40]}"], [f"b={text}"], [text]):
        try:
            given(call, document, MemorySources({"p.json": text}), restore=False)
        except UlnaError as error:
            placed(error.diagnostics)


@target("bicep")
def editing(text: str) -> None:
    """The questions of an editor, at places all over the text."""
    from engine.lsp import highlighting
    from engine.lsp.actions import actions
    from engine.lsp.analysis import Analysis
    from engine.lsp.completion.complete import complete
    from engine.lsp.folding import folds
    from engine.lsp.formatting import formatted
    from engine.lsp.hover import hover
    from engine.lsp.navigation import definition, highlights, references
    from engine.lsp.outline import outline
    from engine.lsp.rename import Refused, rename, renameable
    from engine.lsp.signature import signatures
    from engine.lsp.workspace import Workspace

    workspace = Workspace()
    path = "/main.bicep"
    workspace.buffers.put(path, text)
    analysis = Analysis(check(path, MemorySources({path: text})))
    placed(analysis.findings)
    for whole in (outline, folds, formatted, highlighting.numbers):
        analysis.once(whole)
    text = analysis.text  # of what is no text, none
    chance = random.Random(len(text))
    for at in {chance.randint(0, len(text)) for _ in range(12)}:
        hover(analysis, at)
        complete(analysis, workspace.buffers, at)
        signatures(analysis, at)
        definition(workspace, analysis, at)
        references(workspace, analysis, at, True)
        highlights(analysis, at)
        actions(analysis, at, min(len(text), at + 5))
        if renameable(analysis, at) is not None:
            with suppress(Refused):
                rename(workspace, analysis, at, "other")


@target("json")
def naming(text: str) -> None:
    """References to modules in registries and repositories."""
    settings = {"moduleAliases": {"br": {"a": {"registry": text, "modulePath": text}}, "ts": {"a": {}}}}
    for reference in (text, f"br/a:{text}", f"git:{text}", f"ts/a:{text}"):
        try:
            parse_reference(reference, settings, None)
        except Misnamed as problem:
            assert problem.code
            assert str(problem)
