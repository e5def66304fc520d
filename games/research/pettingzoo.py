"""Every game as an environment of PettingZoo (`tessera-games[pettingzoo]`): agents act in turn (AEC).

An observation is a dict of `observation`, the numbers of `Match.observed`, and `action_mask`, for each action whether
it may be taken. An action is the number of a word (`Match.decide`), so an agent may act several times in a turn. In
sealed turns agents act one after the other and do not see what the others do.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from games.engine.protocol import Options, Seat
from games.research.decisions import Match

Agent = str
Observation = Mapping[str, np.ndarray[Any, Any]]


def env(slug: str, seats: int = 2, options: Options | None = None) -> AECEnv[Agent, Any, Any]:
    """Return an environment that says in words what was done wrong.

    Args:
        slug: of the game: "card-chess", "shifting-stones" or "small-islands".
        seats: how many agents play.
        options: of the game, with defaults.

    Raises:
        LookupError: there is no such game.
        OptionError: the game does not offer these options or this number of seats.
    """
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(slug, seats, options)))


class raw_env(AECEnv[Agent, Any, Any]):  # type: ignore[misc]  # noqa: N801  # PettingZoo has no types here, and this name
    """The environment itself; arguments as for `env`."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self, slug: str, seats: int = 2, options: Options | None = None, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.metadata = {**raw_env.metadata, "name": f"{slug.replace('-', '_')}_v0"}
        self.render_mode = render_mode
        self._setting: tuple[str, int, Options] = (slug, seats, options or {})
        self._match = Match(*self._setting, bytes(32))
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        words, numbers = len(self._match.language.words), len(self._match.observed(Seat(0)))
        self.action_spaces = {agent: spaces.Discrete(words) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, (numbers,), np.float32),
                    "action_mask": spaces.Box(0, 1, (words,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._seeds = np.random.default_rng()

    def observation_space(self, agent: Agent) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: Agent) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; the same seed gives the same match."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self._match = Match(*self._setting, sha256(self._seeds.bytes(32)).digest())
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        if self._match.deciding:
            self.agent_selection = self.possible_agents[self._match.deciding[0]]

    def observe(self, agent: Agent) -> Observation:
        seat = Seat(self.possible_agents.index(agent))
        mask = np.zeros(len(self._match.language.words), np.int8)
        mask[list(self._match.choices(seat))] = 1
        return {"observation": np.array(self._match.observed(seat), np.float32), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Take an action of the selected agent; `None` from one whose match is over."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self._match.decide(Seat(self.possible_agents.index(agent)), int(action))
        if self._match.play.outcome is not None:
            self.rewards = dict(zip(self.agents, self._match.returns, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()

    def render(self) -> str:
        """Return the position as everybody may know it."""
        return str(self._match.language.game.view_for(self._match.play.state, None))
