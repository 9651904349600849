"""The protocol: an editor's messages in, answers and findings out; imported by `ulna lsp` alone.

A request that fails is answered with nothing and told on stderr; the editor goes on.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager, redirect_stdout
from inspect import iscoroutinefunction
from time import monotonic
from typing import Any, Protocol, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from engine.lsp import convert
from engine.lsp.analysis import Analysis
from engine.lsp.files import path_of, uri_of
from engine.lsp.navigation import Location
from engine.lsp.questions import QUESTIONS, value
from engine.lsp.restore import COMMAND, restore
from engine.lsp.workspace import Workspace

DEBOUNCE = 0.15
"""Seconds without a key pressed before findings are looked for again."""

SLICE = 0.002
"""Seconds that looking for findings goes on before whoever asks something has his turn."""

MADE = 50_000
"""Objects after which rubbish is looked for: about what an analysis makes, so that one is not looked through many times."""

R = TypeVar("R")


class _At(Protocol):
    """Whatever names a file and a position in it."""

    text_document: lsp.TextDocumentIdentifier
    position: lsp.Position


class _Spoken(LanguageServerProtocol):
    """The library's protocol, less its own copies of the texts: it counts lines in another way than editors do."""

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        """Opened."""
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """Changed."""
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        """Closed."""
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CLOSE], (params,), None


class Server(LanguageServer):
    """The language server of one editor."""

    def __init__(self, version: str) -> None:
        super().__init__("ulna", version, protocol_cls=_Spoken)
        self.files = Workspace()
        self.uris: dict[str, str] = {}
        self.told: dict[str, object] = {}
        """The model of which the findings were told, by path."""
        self.snippets = False
        self.ended = False
        self._due: asyncio.TimerHandle | None = None
        self._looking: asyncio.Task[None] | None = None
        _register(self)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """On stderr, not in the editor's face; a refusal was told to the editor as such."""
        if not isinstance(error, JsonRpcException):
            print(f"ulna lsp: {type(error).__name__}: {error}", file=sys.stderr)

    # ------------------------------------------------------------ places

    def uri(self, path: str) -> str:
        """The name of a file, as the editor has it if it does."""
        return self.uris.get(path) or uri_of(path)

    def at(self, params: _At) -> tuple[Analysis, int]:
        """The file that a request is about, and the offset in it."""
        analysis = self.files.analysis(path_of(params.text_document.uri))
        return analysis, analysis.positions.offset(params.position.line, params.position.character)

    def location(self, place: Location) -> lsp.Location:
        """A place in whatever file."""
        positions = self.files.analysis(place.path).positions if place.path.endswith(_ENDINGS) else None
        return lsp.Location(self.uri(place.path), convert.range(positions, place.span))

    # ------------------------------------------------------------ findings

    def changed(self) -> None:
        """Findings are looked for soon, and once for many changes."""
        self._stop()
        self._due = asyncio.get_running_loop().call_later(DEBOUNCE, self.publish)

    def publish(self) -> None:
        """Looks for the findings of every open file that has changed, or uses one that has, and tells them."""
        self._stop()
        self._looking = asyncio.get_running_loop().create_task(self._look_at_all())

    def _stop(self) -> None:
        for waiting in (self._due, self._looking):
            if waiting is not None:
                waiting.cancel()

    async def _look_at_all(self) -> None:
        for path in self.files.open_paths:
            await self._publish(path)
        if any(gc.get_count()[1:]):
            gc.collect()  # while nobody waits: of itself it would hardly ever look through what is older

    async def _publish(self, path: str) -> None:
        try:
            analysis = self.files.analysis(path)
            if self.told.get(path) is analysis.model:
                return
            if not await self.look(analysis):
                return  # it will be looked at as it is by then
            found = [convert.diagnostic(analysis, d, self.uri) for d in analysis.findings]
        except Exception as error:  # whatever it is, the editor goes on
            _tell("diagnostics", error)
            return
        self.told[path] = analysis.model
        params = lsp.PublishDiagnosticsParams(self.uri(path), found)
        self.text_document_publish_diagnostics(params)

    async def look(self, analysis: Analysis) -> bool:
        """Looks for a file's findings, in slices between which others have their turn; whether it is still the same file."""
        began = monotonic()
        for _ in analysis.steps:
            if monotonic() - began > SLICE:
                await asyncio.sleep(0)
                if not self.files.holds(analysis):
                    return False
                began = monotonic()
        return True

    # ------------------------------------------------------------ commands

    async def restore(self, uri: str) -> None:
        """Fetches what a file lacks, in the background, and looks at it again."""
        try:
            refused = await asyncio.to_thread(restore, path_of(uri), self.files.buffers.copy())
        except Exception as error:  # whatever it is, the editor goes on
            _tell(COMMAND, error)
            refused = [f"The modules could not be restored: {error}"]
        for reason in refused:
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, reason))
        self.publish()


_ENDINGS = (".bicep", ".bicepparam")


def _tell(what: str, error: BaseException) -> None:
    """A bug, on stderr, with where it is."""
    import traceback

    print(f"ulna lsp: {what} failed", file=sys.stderr)
    traceback.print_exception(error, file=sys.stderr)


@contextmanager
def _guarded(what: str) -> Iterator[None]:
    """Ends in silence what fails; what was refused with a reason is passed on."""
    try:
        yield
    except JsonRpcException:
        raise
    except Exception as error:  # whatever it is, the editor goes on
        _tell(what, error)


def _register(server: Server) -> None:
    """Says which messages are understood, and by what."""

    async def restoring(uri: str) -> None:
        await server.restore(uri)

    server.command(COMMAND)(restoring)
    for name, (function, options) in _FEATURES.items():
        answer = _later if iscoroutinefunction(function) else _now
        server.feature(name, options)(answer(server, function))


def _now(server: Server, function: Callable[..., R]) -> Callable[[Any], R | None]:
    def answer(params: Any) -> R | None:
        with _guarded(function.__name__):
            return function(server, params)
        return None

    return answer


def _later(server: Server, function: Callable[..., Awaitable[R]]) -> Callable[[Any], Awaitable[R | None]]:
    async def answer(params: Any) -> R | None:
        with _guarded(function.__name__):
            return await function(server, params)
        return None

    return answer


# ---------------------------------------------------------------- files


def _initialize(server: Server, params: lsp.InitializeParams) -> None:
    folders = [f.uri for f in params.workspace_folders or ()] or ([params.root_uri] if params.root_uri else [])
    server.files.folders = [path_of(uri) for uri in folders]
    completion = params.capabilities.text_document and params.capabilities.text_document.completion
    server.snippets = bool(completion and completion.completion_item and completion.completion_item.snippet_support)
    server.files.encoding = value(server.workspace.position_encoding or "utf-16")


def _initialized(server: Server, params: lsp.InitializedParams) -> None:
    """Asks the editor to tell what changes on disk, if it can."""
    workspace = server.client_capabilities.workspace
    watching = workspace and workspace.did_change_watched_files
    if watching and watching.dynamic_registration:
        watchers = [lsp.FileSystemWatcher(f"**/{name}") for name in ("*.bicep", "*.bicepparam", "*.json", "ulna.lock")]
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
        registration = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        server.client_register_capability(lsp.RegistrationParams([registration]))


def _open(server: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    path = path_of(params.text_document.uri)
    server.uris[path] = params.text_document.uri
    server.files.buffers.put(path, params.text_document.text)
    server.publish()


def _change(server: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    path = path_of(params.text_document.uri)
    buffers = server.files.buffers
    for change in params.content_changes:
        text = buffers.texts.get(path, "")
        if isinstance(change, lsp.TextDocumentContentChangePartial):
            text = convert.changed(text, change, server.files.encoding)
        else:
            text = change.text
        buffers.put(path, text)
    server.changed()


def _close(server: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    path = path_of(params.text_document.uri)
    server.files.close(path)
    server.told.pop(path, None)
    uri = server.uris.pop(path, params.text_document.uri)
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
    server.changed()


def _shutdown(server: Server, params: Any) -> None:
    server.ended = True


def _outside(server: Server, params: Any) -> None:
    """Something was saved, or changed on disk."""
    server.changed()


def _folders(server: Server, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    gone = {path_of(f.uri) for f in params.event.removed}
    server.files.folders = [f for f in server.files.folders if f not in gone]
    server.files.folders += [path_of(f.uri) for f in params.event.added]


_FEATURES: dict[str, tuple[Callable[..., Any], Any]] = {
    lsp.INITIALIZE: (_initialize, None),
    lsp.INITIALIZED: (_initialized, None),
    lsp.SHUTDOWN: (_shutdown, None),
    lsp.TEXT_DOCUMENT_DID_OPEN: (_open, None),
    lsp.TEXT_DOCUMENT_DID_CHANGE: (_change, None),
    lsp.TEXT_DOCUMENT_DID_CLOSE: (_close, None),
    lsp.TEXT_DOCUMENT_DID_SAVE: (_outside, None),
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: (_outside, None),
    lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: (_folders, None),
    **QUESTIONS,
}


def serve(version: str) -> bool:
    """Talks to one editor over stdin and stdout until it says goodbye; whether it did so in due form."""
    logging.disable(logging.CRITICAL)  # what the library says of failures is told shorter here
    server = Server(version)
    gc.collect()
    gc.freeze()  # what is there by now stays, and need not be looked through again
    gc.set_threshold(MADE)
    sys.setswitchinterval(SLICE)  # the thread that reads has its turn as soon as others do
    # Nobody else may write where the protocol is spoken, and that is closed when it ends.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out, redirect_stdout(sys.stderr):
        server.start_io(sys.stdin.buffer, out)
    return server.ended
