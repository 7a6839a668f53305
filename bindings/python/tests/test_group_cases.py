"""Groups, chains and graphs: the table of cases that all doors share."""

from __future__ import annotations

import asyncio
from typing import Any, Dict, List

import pytest

import netcore
from test_cases import read

CASES = read("groups.tsv")


class Play:
    """One case: requests are held by a transport until a step ends them."""

    def __init__(self) -> None:
        self.client = netcore.AsyncClient(base_url="http://held.test", transport=self._hold)
        self.members: Dict[str, Any] = {}
        self.held: Dict[str, asyncio.Future[netcore.Response]] = {}
        self.events: List[str] = []
        self.seen = 0

    async def _hold(self, request: netcore.Request) -> netcore.Response:
        letter = str(request.url)[-1]
        self.held[letter] = asyncio.get_running_loop().create_future()
        self.events.append(f"+{letter}")
        return await self.held[letter]

    def _ended(self, letter: str, error: Any, decider: str = "") -> None:
        marks = {netcore.Canceled: "/", netcore.Skipped: "~", netcore.ConnectError: "!", type(None): "="}
        self.events.append(letter + marks[type(error)] + decider)

    def _task_ended(self, letter: str) -> Any:
        def note(task: netcore.AsyncTask) -> None:
            try:
                task.result()
            except netcore.Error as error:
                self._ended(letter, error)
            else:
                self._ended(letter, None)

        return note

    def _notified(self, letter: str) -> Any:
        def note(group: netcore.AsyncGroup) -> None:
            found = [name for name, member in self.members.items() if member is group.decided_by]
            self._ended(letter, group.error, *found)

        return note

    def _group(self, options: str) -> netcore.AsyncGroup:
        rule, _, limit = options.partition(",limit=")
        how: Any = {"rule": rule, "limit": int(limit) if limit else None}
        return self.client.group(**how)

    def _add(self, group: netcore.AsyncGroup, member: str) -> None:
        letter, _, others = member.partition("<")
        after = [self.members[other] for other in others.split(",") if other]
        if letter.isupper():
            group.add_group(self.members[letter], after=after, notify=self._notified(letter))
        else:
            self.members[letter] = group.add("GET", f"/{letter}", after=after, on_done=self._task_ended(letter))

    def build(self, options: str, members: str, within: str) -> None:
        for text in [] if within == "-" else within.split("; "):
            letter, its_options, *its_members = text.split(" ")
            self.members[letter] = self._group(its_options)
            for member in its_members:
                self._add(self.members[letter], member)
        self.outer = self._group(options)
        for member in [] if members == "-" else members.split(" "):
            self._add(self.outer, member)

    def _act(self, action: str, letter: str) -> None:
        target = self.members.get(letter, self.outer)
        if action == "add":
            self._add(self.outer, letter)
        elif action == "ok":
            self.held[letter].set_result(netcore.Response(200))
        elif action == "fail":
            self.held[letter].set_exception(netcore.ConnectError("the step says so"))
        elif action == "cancel":
            target.cancel()
        else:
            assert action == "dispatch"
            target.dispatch(self._notified("N"))

    async def step(self, text: str) -> None:
        action, _, happens = text.partition(":")
        action, _, refusal = action.partition(" (")
        action, _, letter = action.partition(" ")
        if refusal:
            with pytest.raises(netcore.Error) as caught:
                self._act(action, letter)
            assert f"{caught.value.name})" == refusal
        else:
            self._act(action, letter)
        phases = [phase.split() for phase in happens.split(">")]
        wanted = self.seen + sum(map(len, phases))
        while len(self.events) < wanted:
            await asyncio.sleep(0.001)
        for phase in phases:
            until = self.seen + len(phase)
            assert sorted(self.events[self.seen : until]) == sorted(phase), text
            self.seen = until

    async def run(self, case: List[str]) -> None:
        _, options, members, within, steps = case
        async with self.client:
            self.build(options, members, within)
            for step in steps.split(" | "):
                await self.step(step)
            for future in self.held.values():
                future.cancel()
        assert len(self.events) == self.seen


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_the_table_of_cases(case: List[str]) -> None:
    async def run() -> None:
        await asyncio.wait_for(Play().run(case), 20)

    asyncio.run(run())
