"""The groups of a set: Azure makes them of the set's profile, and the set says nothing of how they are, so each is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from engine.contract.operator import Health
from providers.azure.client import Client, Seen
from providers.azure.health import GROUP, LOOK, SET, Verdict, judge, worst_of
from providers.azure.refusals import Absent

A_SECOND = 5
"""So many groups are looked at in a second: Azure bounds how often it is asked."""


def groups_of(client: Client, id: str, version: str, set: Seen) -> Iterator[Seen]:
    """The groups that Azure made for a set, as a list shows them: without how they are."""
    properties = set.get("properties") or {}
    profiles = {str(s["resource"]["id"]).lower() for s in properties.get("containerGroupProfiles") or ()}
    for group in client.pages(f"{id.rpartition('/')[0].rpartition('/')[0]}/containerGroups", version):
        profile = group["properties"].get("containerGroupProfile") or {}
        if str(profile.get("id")).lower() in profiles:
            yield group


def judge_set(client: Client, id: str, version: str, set: Seen, now: datetime) -> Verdict:
    """How a set is: as the worst of its groups, once Azure is done with the set itself and all groups are there."""
    verdict = judge(SET, set, {}, now)
    if verdict.health is not Health.READY:
        return verdict
    try:
        listed = list(groups_of(client, id, version, set))
    except Absent:
        listed = []
    groups = [g for one in listed if (g := client.get(one["id"], version)) is not None]
    elastic = (set.get("properties") or {}).get("elasticProfile") or {}
    verdict = _of_all(groups, int(elastic.get("desiredCount") or 0), now)
    if verdict.look_again is None:
        return verdict
    return verdict.replace(look_again=max(verdict.look_again, len(groups) / A_SECOND))


def _of_all(groups: Sequence[Seen], wanted: int, now: datetime) -> Verdict:
    verdicts = [_of(g, now) for g in groups]
    worst = worst_of(verdicts)
    if worst.health is not Health.READY:
        return worst
    if len(groups) < wanted:
        return Verdict(Health.STARTING, f"{len(groups)} of {wanted} groups are there", look_again=LOOK)
    codes = [v.exit_code for v in verdicts if v.exit_code is not None]
    return Verdict(exit_code=max(codes)) if codes and len(codes) == len(groups) else Verdict()


def _of(group: Seen, now: datetime) -> Verdict:
    """A group of a set has its probes and its policy from the profile, and shows them."""
    verdict = judge(GROUP, group, group["properties"], now)
    return verdict.replace(message=f"{group['name']}: {verdict.message}") if verdict.message else verdict
