"""Runs a program in a container, to its end."""

from __future__ import annotations

import threading

from engine.contract.errors import OperatorError, Terminal
from engine.contract.operator import Execution
from providers.docker.client import Client

NOT_RUN = (126, 127)


def execute(client: Client, id: str, command: tuple[str, ...], timeout: float) -> Execution:
    """How the program ended; raises `Terminal` if it cannot be started or takes longer than `timeout` seconds.

    An engine ends no program that it began in a container: one that takes too long goes on there.
    """
    ended: list[tuple[int, str]] = []
    failed: list[OperatorError] = []

    def run() -> None:
        try:
            ended.append(client.ask(id, list(command)))
        except OperatorError as error:
            failed.append(error)

    thread = threading.Thread(target=run, name=f"exec in {id[:12]}", daemon=True)
    thread.start()
    thread.join(timeout)
    if failed:
        raise Terminal(failed[0].reason, failed[0].help)
    if not ended:
        raise Terminal(
            f"'{command[0]}' did not end within {timeout:g} s", "Give it more time; it goes on in the container."
        )
    code, output = ended[0]
    if code in NOT_RUN and ("cannot be run" in output or "OCI runtime exec failed" in output):
        raise Terminal(f"'{command[0]}' cannot be run in the container", "Name a program that the image has.")
    return Execution(code, output)
