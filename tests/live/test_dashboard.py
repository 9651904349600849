"""The dashboard, driven in Chromium: watch, command, logs, graph, plan, reload; on a desktop and on a phone, light and dark."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.live.book import Book
from engine.live.pages import pages
from engine.live.server import Server
from engine.live.session import Session
from tests.live.browser import DESKTOP, PHONE, Looking, chromium
from tests.live.staged import APP, Live, container
from tests.live.test_desk import COMMANDS
from tests.live.test_run import FILE, Running

pytestmark = pytest.mark.e2e

TEXT = (
    APP.replace("param environment string", "param environment string\n@secure()\nparam secret string = newGuid()")
    + container("db")
    + container(
        "api",
        "env: { WORD: { value: 'hello' }, KEY: { value: secret } }",
        "connections: { db: { source: db.id, disableDefaultEnvVars: true } }",
    )
    + container("web", properties="connections: { api: { source: api.id, disableDefaultEnvVars: true } }")
    + container("ends", "", "restartPolicy: 'Never'", 'print("ends"); raise SystemExit(3)')
    + COMMANDS
)
ULNA = Path(sys.executable).parent / "ulna"
PLACES = ("resources", "graph", "logs", "plan", "operations", "resource/app/api", "resource/app/ends/ends-0")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


class Shown:
    """A deployment that runs, and its dashboard."""

    def __init__(self, running: Live) -> None:
        self.running = running
        self.book = Book()
        self.session = Session(running.host, running.desk, self.book)
        self.server = Server(self.session, running.host.folder, pages=pages())

    def write(self, name: str, *lines: str) -> None:
        for line in lines:
            self.book.write(self.running.entry(name), line)


@pytest.fixture
def shown(live: Callable[[str], Live]) -> Iterator[Shown]:
    running = live(TEXT)
    shown = Shown(running)
    with shown.server:
        running.ready("web", "job")
        yield shown


@pytest.fixture
def look(browser: Any, shown: Shown) -> Iterator[Callable[..., Looking]]:
    """Opens the dashboard; at the end nothing may have gone wrong in any page, or been asked of another host."""
    opened: list[Looking] = []

    def look(size: tuple[int, int] = DESKTOP, scheme: str = "light") -> Looking:
        opened.append(Looking(browser, shown.server.entrance, size, scheme))
        return opened[-1]

    yield look
    for one in opened:
        one.close()
        assert one.problems == [] and one.hosts == {"localhost"}


def test_what_runs_is_shown_and_follows_what_happens(shown, look, tmp_path):
    seen = look()
    assert "token" not in seen.page.url
    seen.state("web", "ready")
    seen.state("ends", "failed")
    assert seen.page.locator("tbody tr[data-address]").first.get_attribute("data-address") == "app/ends"
    begun = time.monotonic()
    shown.running.desk.act("web", "stop")
    seen.state("web", "stopped")
    assert time.monotonic() - begun < 10
    shown.running.desk.act("web", "start")
    seen.state("web", "ready")
    seen.shoot("resources", tmp_path)


def test_rows_are_searched_filtered_sorted_and_opened(look):
    seen = look()
    table = seen.page.locator("tbody tr[data-address]")
    names = lambda: [r.get_attribute("data-address") for r in table.all()]  # noqa: E731
    seen.page.get_by_label("Search resources").fill("api-0")
    seen.row("api/api-0").wait_for()
    assert names() == ["app/api", "app/api/api-0"]
    assert "q=api-0" in seen.page.url
    seen.page.reload()
    seen.row("api/api-0").wait_for()
    seen.page.keyboard.press("Escape")
    seen.row("web").wait_for()
    seen.page.get_by_role("button", name=re.compile("^Failed")).click()
    seen.row("web").wait_for(state="detached")
    assert names() == ["app/ends"]
    seen.page.get_by_role("button", name=re.compile("^All")).click()
    seen.page.get_by_role("button", name="Name").click()
    seen.row("web").wait_for()
    assert names() == [f"app/{n}" for n in ("api", "db", "ends", "fails", "job", "app", "web", "word")]
    seen.page.get_by_role("button", name="Show the parts of api").click()
    assert seen.row("api/api-0").get_attribute("aria-level") == "2"


def test_one_resource_without_its_secrets(shown, look, tmp_path):
    seen = look()
    seen.go("resource/app/api/api-0")
    seen.see("KEY")
    value = next(v for v in shown.running.host.prepared.vault._values.values() if isinstance(v, str))
    page = seen.page.locator("main")
    assert "•••" in page.inner_text() and "hello" in page.inner_text() and value not in seen.page.content()
    seen.go("resource/app/ends/ends-0")
    seen.see("Why it is not ready")
    seen.see("it ended with exit code 3")
    seen.shoot("resource", tmp_path)


def test_a_command_with_inputs_is_checked_run_and_its_result_kept(look, tmp_path):
    seen = look()
    page = seen.go("resource/app/api")
    page.locator("[data-command=word]").click()
    dialog = page.get_by_role("dialog")
    times = dialog.get_by_label("times")
    assert (times.input_value(), times.get_attribute("max")) == ("2", "3")
    times.fill("9")
    dialog.get_by_role("button", name="Run").click()
    assert dialog.is_visible() and times.evaluate("e => !e.validity.valid")
    times.fill("3")
    dialog.get_by_label("tail").select_option("?")
    seen.shoot("command", tmp_path)
    dialog.get_by_role("button", name="Run").click()
    dialog.wait_for(state="detached")
    page.get_by_text("Say the word: done").wait_for()
    seen.go("operations")
    operation = page.locator("[data-operation]").first
    operation.locator("summary").click()
    operation.get_by_text("hellohellohello?").wait_for()
    seen.shoot("operations", tmp_path)


def test_what_the_run_refuses_is_told_in_the_dialog(look):
    seen = look()
    page = seen.go("resource/app/api")
    page.locator("[data-command=word]").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("times").evaluate("e => { e.removeAttribute('max'); e.value = 9 }")
    dialog.get_by_role("button", name="Run").click()
    dialog.get_by_text("'times' is 9").wait_for()
    dialog.get_by_text("ULN551").wait_for()
    seen.problems[:] = [p for p in seen.problems if "400" not in p]


def test_a_launched_job_has_its_log_and_its_end(shown, look):
    seen = look()
    page = seen.go("resource/app/api")
    page.locator("[data-command=job]").click()
    page.get_by_role("dialog").get_by_label("key").fill("s3cr3t-key")
    page.get_by_role("dialog").get_by_role("button", name="Run").click()
    page.get_by_text("job: done").wait_for()
    seen.go("operations")
    operation = page.locator("[data-operation]").first
    operation.locator("summary").click()
    operation.get_by_text("summary").wait_for()
    assert "s3cr3t-key" not in page.content()
    operation.get_by_role("link", name="log of job-1").click()
    page.wait_for_url("**#/logs?name=app%2Fapi%2Fjob-1")


def test_stop_start_restart_and_scale_from_the_page(shown, look):
    seen = look()
    page = seen.go("resource/app/api")
    acts = page.get_by_role("group", name="Commands")
    acts.get_by_role("button", name="Stop").click()
    acts.get_by_role("button", name="Start", exact=True).click()
    page.locator(".badge").get_by_text("ready").wait_for()
    acts.get_by_role("button", name="Restart").click()
    page.get_by_role("dialog").get_by_label("Also what depends on it").check()
    page.get_by_role("dialog").get_by_role("button", name="Restart").click()
    shown.running.until(lambda: shown.running.entry("web-0").incarnation == 2)
    acts.get_by_role("button", name="Scale").click()
    page.get_by_role("dialog").get_by_label("Replicas").fill("2")
    page.get_by_role("dialog").get_by_role("button", name="Scale").click()
    page.locator("a[title='app/api/api-1']").wait_for()


def test_logs_of_all_and_of_one_filtered_paused_and_with_colours(shown, look, tmp_path):
    shown.write("api-0", "\x1b[31mERROR\x1b[0m <b>no markup</b> see https://example.org/x")
    shown.write("web-0", "served")
    seen = look()
    page = seen.go("logs")
    seen.see("served")
    line = page.locator(".line", has_text="no markup")
    assert "<b>no markup</b>" in line.inner_text() and line.locator("b").count() == 0
    assert line.locator(".a-31").inner_text() == "ERROR"
    assert line.get_by_role("link", name="https://example.org/x").get_attribute("rel") == "noopener noreferrer"
    page.get_by_label("Filter lines").fill("SERVED")
    line.wait_for(state="detached")
    page.get_by_label("Filter lines").fill("")
    page.get_by_role("button", name="Pause").click()
    shown.write("web-0", "written meanwhile")
    page.get_by_role("button", name="Go on (1 new)").wait_for()
    assert page.get_by_text("written meanwhile").count() == 0
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Go on").click()
    seen.see("written meanwhile")
    page.get_by_label("Resource", exact=True).select_option("app/web")
    line.wait_for(state="detached")
    seen.see("served")
    seen.shoot("logs", tmp_path)


def test_a_long_log_is_followed_until_somebody_scrolls_up(shown, look):
    shown.write("api-0", *(f"line {n}" for n in range(900)))
    seen = look(PHONE)
    page = seen.go("logs")
    seen.see("line 899")
    end = "e => e.scrollHeight - e.scrollTop - e.clientHeight < 40"
    lines = page.locator(".lines")
    seen.until(f"({end})(document.querySelector('.lines'))")
    lines.evaluate("e => { e.scrollTop -= 900 }")
    jump = page.get_by_role("button", name="Follow the newest")
    jump.wait_for()
    shown.write("api-0", "the last")
    page.wait_for_timeout(300)
    assert not lines.evaluate(end)
    jump.click()
    seen.until(f"({end})(document.querySelector('.lines'))")


def test_the_graph_is_live_and_leads_to_its_resources(shown, look, tmp_path):
    seen = look()
    page = seen.go("graph")
    page.get_by_role("link", name="web, needs api").wait_for(state="attached")
    tone = "document.querySelector('.canvas')._cyreg.cy.getElementById('app/web').data('tone')"
    seen.until(f"{tone} === 'ok'")
    seen.shoot("graph", tmp_path)
    shown.running.desk.act("web", "stop")
    seen.until(f"{tone} === 'off'")
    place = page.evaluate("document.querySelector('.canvas')._cyreg.cy.getElementById('app/api').renderedPosition()")
    page.locator(".canvas").click(position=place)
    page.wait_for_url("**#/resource/app/api")


def test_the_plan_of_a_changed_file_is_shown_and_deployed(shown, look, tmp_path):
    seen = look()
    page = seen.go("plan")
    path = shown.running.path
    path.write_text(path.read_text().replace("'hello'", "'changed'") + container("extra"))
    page.get_by_role("button", name="Look again").click()
    seen.see("to create")
    seen.see("env.WORD")
    seen.shoot("plan", tmp_path)
    page.get_by_role("button", name="Deploy this").click()
    page.get_by_role("dialog").get_by_role("button", name="Deploy").click()
    seen.go("resources")
    seen.state("extra", "ready")
    path.write_text(path.read_text().replace(container("extra"), ""))
    shown.session.reload()
    seen.row("extra").wait_for(state="detached")


def test_a_file_that_is_wrong_is_told_with_its_place(shown, look):
    shown.running.path.write_text(TEXT.replace("app.id", "apps.id", 1))
    seen = look()
    seen.go("plan")
    seen.see("BCP057")
    seen.see("app.bicep:")
    seen.problems[:] = [p for p in seen.problems if "400" not in p]


def test_the_keyboard_leads_everywhere(look):
    seen = look()
    page, keys = seen.page, seen.page.keyboard
    seen.row("web").wait_for()
    keys.press("?")
    page.get_by_role("dialog", name="Keyboard").wait_for()
    keys.press("Escape")
    keys.press("/")
    assert page.evaluate("document.activeElement.type") == "search"
    keys.press("Escape")
    keys.press("j")
    keys.press("j")
    keys.press("ArrowRight")
    focused = page.evaluate("document.activeElement.dataset.address")
    keys.press("Enter")
    page.wait_for_url(f"**#/resource/{focused}")
    keys.press("g")
    keys.press("o")
    page.wait_for_url("**#/operations")
    keys.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    keys.press("t")
    assert page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_a_phone(shown, look, scheme, tmp_path):
    shown.write("api-0", "a line that is long enough to need more than one line on a phone, and says so at length")
    seen = look(PHONE, scheme)
    for place in PLACES:
        seen.go(place)
        seen.page.locator("main > *").first.wait_for()
        seen.page.wait_for_timeout(500)
        assert seen.width() <= PHONE[0], place
        seen.shoot(f"phone-{scheme}-{place.replace('/', '-')}", tmp_path)


def test_a_lost_connection_is_told_and_goes_on_from_where_it_was(shown, look):
    seen = look()
    seen.state("web", "ready")
    port = int(shown.server.url.rstrip("/").rpartition(":")[2])
    shown.server.__exit__()
    seen.page.get_by_text("Not connected").wait_for()
    shown.running.desk.act("web", "stop")
    shown.running.until(lambda: shown.running.entry("web-0").phase == "Stopped")
    again = Server(shown.session, shown.running.host.folder, port, pages=pages())
    again.token = shown.server.token
    asked: list[str] = []
    seen.page.on("request", lambda r: asked.append(r.url))
    with again:
        seen.state("web", "stopped")
        seen.page.get_by_text("Live", exact=True).wait_for()
    assert [u for u in asked if re.search(r"/api/events\?after=[1-9]", u)]


def test_a_run_that_follows_its_file_shows_each_change_and_its_own_end(browser, tmp_path):
    (tmp_path / "app.bicep").write_text(FILE)
    run = Running(tmp_path)
    try:
        run.ready("web")
        (entrance,) = [x["url"] for x in run.lines if x["kind"] == "dashboard"]
        seen = Looking(browser, entrance)
        seen.state("web", "ready")
        assert seen.row("extra").count() == 0
        (tmp_path / "app.bicep").write_text(FILE.replace("'hello'", "'changed'") + container("extra"))
        seen.state("extra", "ready")
        seen.go("logs?name=app%2Fapi")
        seen.see("says changed")
        seen.go("resources")
        (tmp_path / "app.bicep").write_text(FILE.partition("resource web")[0])
        seen.row("web").wait_for(state="detached")
        run.end()
        seen.page.get_by_role("alert").get_by_text("The run has ended").wait_for()
        assert seen.problems == []
        seen.close()
    finally:
        if run.process.poll() is None:
            run.end(signal.SIGKILL)
        subprocess.run([ULNA, "destroy", "app.bicep", "--yes"], cwd=tmp_path, capture_output=True, check=False)


def test_without_a_run_the_state_is_shown_and_nothing_can_be_asked(browser, live, tmp_path):
    running = live(TEXT)
    running.ready("web", "job")
    with Shown(running).server as server:
        assert asked(tmp_path) == {"url": server.entrance, "readOnly": False}
    running.close(keep=True)
    words = [ULNA, "dashboard", "--no-open", "--format", "json"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        told = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")
        assert told["readOnly"] is True and not (tmp_path / ".ulna" / "live.json").exists()
        seen = Looking(browser, told["url"], live="Read only")
        seen.state("web", "ready")
        page = seen.go("resource/app/api")
        page.get_by_role("heading", name="Conditions").wait_for()
        assert page.get_by_role("button", name="Stop").count() == 0 and page.locator("[data-command]").count() == 0
        seen.go("logs")
        seen.see("says hello")
        seen.go("plan")
        seen.see("ULN563")
        refused = page.evaluate(
            "async () => (await fetch('/api/command', {method: 'POST', headers: {'X-Ulna': '1'}, body: '{}'})).status"
        )
        unknown = page.evaluate("async () => (await fetch('/api/resource?name=nobody')).status")
        assert (refused, unknown) == (400, 400)
        running.open()
        running.desk.act("web", "stop")
        seen.go("resources")
        seen.state("web", "stopped")
        seen.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130


def asked(folder: Path) -> Any:
    """What `ulna dashboard` prints."""
    words = [ULNA, "dashboard", "--no-open", "--format", "json"]
    return json.loads(subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True).stdout)


def test_a_run_without_a_dashboard_is_told(live, tmp_path):
    running = live(APP)
    session = Session(running.host, running.desk, Book())
    with Server(session, running.host.folder, port=None):
        words = [ULNA, "dashboard", "--no-open"]
        ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 1 and "ULN565" in ended.stderr


def test_without_the_token_nothing_is_shown(browser, shown):
    context = browser.new_context()
    page = context.new_page()
    assert page.goto(shown.server.url).status == 401
    assert "ulna run" in page.inner_text("body")
    context.close()


def test_the_files_name_no_other_host():
    folder = Path(__file__).parents[2] / "engine/live/dashboard"
    own = [p for p in folder.rglob("*") if p.suffix in (".html", ".css", ".js") and p.parent.name != "vendored"]
    assert own
    for path in own:
        found = set(re.findall(r"https?://[^\s\"'`<)]+", path.read_text())) - {"http://www.w3.org/2000/svg"}
        assert not [u for u in found if "$" not in u and "[" not in u and "\\" not in u], path
