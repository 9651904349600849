"""The verbs: what stands in `ulna --help`, and which module of `commands/` runs each. No parser is needed to know them."""

from __future__ import annotations


class Verb:
    """A verb, its module, and one line about it; `aliases` are other words for it. No `Record`: that would import typing."""

    __slots__ = ("aliases", "module", "name", "summary")

    def __init__(self, name: str, summary: str, module: str = "", aliases: tuple[str, ...] = ()) -> None:
        self.name = name
        self.summary = summary
        self.module = module or name
        self.aliases = aliases


GROUPS: dict[str, tuple[Verb, ...]] = {
    "Change what runs": (
        Verb("run", "Deploy and stay: supervise, show logs, follow changes of the file"),
        Verb("deploy", "Make it so: create, update and delete until all is as the file says"),
        Verb("plan", "Show what a deploy would change, and change nothing", aliases=("what-if",)),
        Verb("apply", "Carry out a saved plan, if nothing has moved on since"),
        Verb("destroy", "Delete all that a deployment owns"),
        Verb("import", "Take over what exists already, under a resource of a file", "import_"),
    ),
    "Tell a run": (
        Verb("start", "Start a resource"),
        Verb("stop", "Stop a resource, or the run itself"),
        Verb("restart", "Restart a resource, and what depends on it if wanted"),
        Verb("force", "Start a resource whatever it waits for"),
        Verb("scale", "Run another number of replicas"),
        Verb("command", "Give a resource a command that its template declares"),
        Verb("add", "Add what a file declares to a run"),
        Verb("change", "Set properties of a resource of a run"),
        Verb("remove", "Remove resources from a run"),
        Verb("wait", "Wait until a resource, or everything, is ready"),
    ),
    "Work as a team": (
        Verb("server", "Take deployments of many environments, and queue them for workers"),
        Verb("worker", "Carry out what a server has queued"),
        Verb("submit", "Send a file, with all that it reads, to a server that deploys it"),
        Verb("deployments", "What was submitted: list, show, follow, cancel, retry"),
    ),
    "See what runs": (
        Verb("status", "Every resource with its state"),
        Verb("logs", "What a resource writes, once or as it comes"),
        Verb("dashboard", "Open the dashboard of a run, or of the state where nobody runs"),
        Verb("drift", "What somebody else changed since it was deployed"),
        Verb("why", "Why a resource is not what it is meant to be"),
        Verb("operations", "The commands that were given, and what became of them"),
        Verb("graph", "Resources and their connections, as text, JSON, DOT or Mermaid"),
        Verb("env", "The environments there are"),
        Verb("state", "What the state knows of each resource"),
    ),
    "Work with files": (
        Verb("build", "Compile Bicep to an ARM template"),
        Verb("build-params", "Compile a .bicepparam file to a JSON parameter file", "build_params"),
        Verb("generate-params", "Write a parameter file for a template, to be filled in", "generate_params"),
        Verb("lint", "Find mistakes and bad habits"),
        Verb("format", "Write files in the one form there is"),
        Verb("decompile", "Turn an ARM template into Bicep"),
        Verb("decompile-params", "Turn a JSON parameter file into a .bicepparam file", "decompile_params"),
        Verb("snapshot", "Predict what a parameter file deploys, and show what a change of it changes"),
        Verb("lsp", "Serve an editor: findings, completion, hover, rename and more"),
        Verb("render", "Print the native objects that a platform would get"),
        Verb("restore", "Fetch the modules that files name in registries, and pin their tags"),
        Verb("publish", "Put a module into a registry"),
    ),
    "Learn": (
        Verb("explain", "What a code such as BCP057 means"),
        Verb("completion", "A script that completes verbs and options in your shell"),
        Verb("version", "The version of Ulna"),
    ),
}

VERBS: dict[str, Verb] = {verb.name: verb for group in GROUPS.values() for verb in group}
ALIASES: dict[str, str] = {alias: verb.name for verb in VERBS.values() for alias in verb.aliases}


def find(word: str) -> Verb | None:
    """The verb that a word names."""
    return VERBS.get(ALIASES.get(word, word))


def overview() -> str:
    """What `ulna --help` prints."""
    lines = ["Ulna deploys what a Bicep file describes.", "", "Usage: ulna VERB [OPTION]...", ""]
    for title, verbs in GROUPS.items():
        lines.append(f"{title}:")
        for verb in verbs:
            also = f" (also: {', '.join(verb.aliases)})" if verb.aliases else ""
            lines.append(f"  {verb.name:<13} {verb.summary}{also}")
        lines.append("")
    return "\n".join(lines) + "\n" + _EXAMPLES


_EXAMPLES = """\
Start here:
  ulna deploy app.bicep                 the first time, a 'default' environment of local processes is made
  ulna plan app.bicep -e staging        look before you leap
  ulna status                           what runs, and where it is reached
  ulna logs web -f                      follow what 'web' writes
  ulna destroy app.bicep                take it all away again

'ulna VERB --help' says more about a verb, with examples.
Options for every verb: --no-color (or NO_COLOR=1), --state FOLDER (or ULNA_STATE), -v, -h.
Exit codes: 0 all went well, 1 something failed, 2 the call was wrong, 130 interrupted.
"""
