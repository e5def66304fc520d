"""The processes of `make stack` (PostgreSQL, Redis, two web processes, two workers) against the one of `make run`.

All processes and the load share the cores of this machine, so what several web processes bring where each has a core is
calculated from the processor time of each. nginx is left out: it limits the requests of one address.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from statistics import median

import psycopg

from config.ops import stack
from config.ops.stack import Service, free_port, is_installed, postgres, redis
from tests.benchmarks import processor
from tests.benchmarks.alternating import HEAD, ROUNDS, Side, alternate, middle, ratio, row
from tests.benchmarks.driving import Measured, Plan, drive
from tests.benchmarks.load import matches_at
from tests.benchmarks.trees import MIGRATE, ROOT, Tree, begin, environment, prepared, run
from tests.with_services import data_folder

PLAN = Plan(50, is_paced=False)
NEEDED = ("initdb", "redis-server", "setpriv")
EMPTY = "empty"
"""The database of an empty site, from which each run begins."""


def database(server: Service, name: str, template: str) -> str:
    """Create a database as a copy of another; return its address."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
    return server.url.rpartition("/")[0] + f"/{name}"


@contextmanager
def several(variables: Mapping[str, str], ports: list[int]) -> Iterator[dict[str, int]]:
    """Run the web processes on these ports and the workers; yield their process ids by name."""
    with ExitStack() as entered:
        webs = {f"web {number + 1}": stack.web(port, variables) for number, port in enumerate(ports)}
        names = [str(number + 1) for number in range(stack.WORKERS)]
        workers = {f"worker {name}": stack.instance_of("worker", name, variables) for name in names}
        yield {name: entered.enter_context(part).process.pid for name, part in {**webs, **workers}.items()}


def stacked(tree: Tree, server: Service) -> Side:
    """Return the side with several processes, which share a PostgreSQL."""
    runs = count(1)

    def side(plan: Plan) -> Measured:
        with tree.copied() as data, redis() as layer:
            ports = [free_port() for _ in range(stack.WEB_PROCESSES)]
            origin = f"http://127.0.0.1:{ports[0]}"
            address = database(server, f"run{next(runs)}", EMPTY)
            shared = {"DATABASE_URL": address, "REDIS_URL": layer.url, "SINGLE_PROCESS": "0", "SITE_URL": origin}
            variables = environment(tree.source, data, **shared)
            begun = begin(tree.source, variables, plan.count)
            with several(variables, ports) as pids:
                services = {"PostgreSQL": server.process.pid, "Redis": layer.process.pid}
                return drive(matches_at(origin, ports, begun), plan, processor.meter({**pids, **services}))

    return side


def costs(runs: Sequence[Measured]) -> dict[str, float]:
    """Return the processor time for one move of each process, the median in ms."""
    return {name: median(1000 * run.spent[name] / run.moves for run in runs) for name in runs[0].spent}


def calculated(processes: int, alone: float, shared: Mapping[str, float]) -> str:
    """Return what web processes with a core each carry, relative to one that is alone.

    Args:
        processes: how many web processes.
        alone: what a move costs the process that is alone.
        shared: what a move costs each process of the larger site.
    """
    web = sum(cost for name, cost in shared.items() if name.startswith("web"))
    carried, services = processes * alone / web, processes * shared["PostgreSQL"] / web
    return f"{processes} web processes carry {carried:.2f} times what one does; PostgreSQL uses {services:.1f} cores"


def report(one: Sequence[Measured], more: Sequence[Measured]) -> Iterator[str]:
    alone, shared = 1000 * middle(one, lambda run: run.cost), costs(more)
    carried = ratio(more, one, lambda run: run.rate)
    yield f"{PLAN}: moves/s of {stack.WEB_PROCESSES} web processes / one process, on the same cores: {carried}"
    yield "CPU per move in ms: " + ", ".join(f"{name} {cost:.2f}" for name, cost in shared.items())
    yield "by calculation, with a core for each web process, leaving out that more pushes then go through Redis:"
    for processes in (stack.WEB_PROCESSES, stack.WEB_PROCESSES + 1):
        yield f"  {calculated(processes, alone, shared)}"


def main() -> None:
    if missing := [name for name in NEEDED if not is_installed(name)]:
        print(f"skipped: {', '.join(missing)} not found")
        return
    with prepared(ROOT, core=None) as tree, data_folder() as folder, postgres(folder) as server:
        address = database(server, EMPTY, "template1")
        run(ROOT, environment(ROOT, tree.empty, DATABASE_URL=address), MIGRATE)
        results = alternate({"one process": tree.side, "several": stacked(tree, server)}, PLAN)
    print(f"{ROUNDS} runs each, in turn\n{HEAD}")
    for name, runs in results.items():
        print(row(PLAN, name, runs))
    print("\n".join(report(*results.values())))


if __name__ == "__main__":
    main()
