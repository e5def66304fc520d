"""`make shape`: how much there is to read, of this tree and of an earlier commit beside it.

    python -m tests.benchmarks.shape [--against COMMIT]

Counted are the modules of `config`, `accounts` and `games` without migrations and empty ones. A line of code is one
that holds more than a comment or a docstring.
"""

from __future__ import annotations

import argparse
import ast
import io
import subprocess
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

import networkx as nx

PACKAGES = ("config", "accounts", "games")
OF_DJANGO = {"apps", "models", "urls", "views", "forms", "middleware", "admin", "signals", "settings", "asgi", "wsgi"}
OF_OURS = {"jobs", "personal_data", "advice", "insight", "puzzles", "tasks", "teaching", "tensors"}
"""Modules that are looked for under these names, so it says nothing how many import them."""
ROUTING = {"urls", "api"}
"""Modules that give addresses to views: Django and ninja ask for one of them that imports each."""
NOT_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


@dataclass
class Module:
    """What is counted of a module.

    Args:
        name: dotted.
        code: lines of code, of them `imports`.
        functions: how many lines of code each function has.
        asked: dotted names that it imports, of modules or of what they define.
    """

    name: str
    code: int
    imports: int
    functions: list[int]
    asked: set[str]
    imported_by: set[str] = field(default_factory=set)

    @property
    def folder(self) -> str:
        return self.name.rpartition(".")[0]


def read(root: Path) -> dict[str, Module]:
    """Return the modules of a tree by name, each with those that import it."""
    paths = (path for package in PACKAGES for path in sorted((root / package).rglob("*.py")))
    found = [_module(root, path) for path in paths if "migrations" not in path.parts]
    modules = {module.name: module for module in found if module.code}
    for module in found:
        for name in module.asked:
            target = name if name in modules else name.rpartition(".")[0]
            if target in modules and target != module.name:
                modules[target].imported_by.add(module.name)
    return modules


def _module(root: Path, path: Path) -> Module:
    tree, code = ast.parse(path.read_text()), _lines_of_code(path.read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return Module(
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"),
        len(code),
        len(code & set(_spanned(imports))),
        [len(code & set(_spanned([node]))) for node in functions],
        {name for node in imports for name in _names(node)},
    )


def _lines_of_code(text: str) -> set[int]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    lines = {line for token in tokens if token.type not in NOT_CODE for line in range(token.start[0], token.end[0] + 1)}
    alone = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr))
    texts = [node for node in alone if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)]
    return lines - set(_spanned(texts))


def _spanned(nodes: Iterable[ast.stmt]) -> Iterator[int]:
    for node in nodes:
        yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _names(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    for alias in node.names:
        yield alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"


def circles(modules: dict[str, Module]) -> list[set[str]]:
    """Return the sets of modules that import one another in circles."""
    graph = nx.DiGraph((by, module.name) for module in modules.values() for by in module.imported_by)
    return [set(part) for part in nx.strongly_connected_components(graph) if len(part) > 1]


def figures(modules: dict[str, Module]) -> dict[str, float]:
    """Return what `make shape` prints, by what it is."""
    every = list(modules.values())
    functions = [lines for module in every for lines in module.functions]
    code = sum(module.code for module in every)
    folders: dict[str, int] = {}
    for module in every:
        folders[module.folder] = folders.get(module.folder, 0) + 1
    free = [module for module in every if module.name.rpartition(".")[2] not in OF_DJANGO | OF_OURS]
    single = [
        module
        for module in free
        if len(module.imported_by) == 1 and ROUTING.isdisjoint(by.rpartition(".")[2] for by in module.imported_by)
    ]
    return {
        "modules": len(every),
        "modules in the largest folder": max(folders.values()),
        "lines of code": code,
        "lines of a file, median": median(module.code for module in every),
        "lines of a file, 90 %": quantiles([module.code for module in every], n=10)[-1],
        "files over 400 lines of code": sum(module.code > 400 for module in every),
        "functions": len(functions),
        "lines of a function, median": median(functions),
        "lines of a function, 90 %": quantiles(functions, n=10)[-1],
        "share of imports, %": round(100 * sum(module.imports for module in every) / code, 1),
        "modules with one importer": len(single),
        "... that lies beside them": sum(
            modules[by].folder == module.folder for module in single for by in module.imported_by if by in modules
        ),
        "modules in circles": sum(len(part) for part in circles(modules)),
    }


def at(commit: str, folder: Path) -> Path:
    """Lay the tree of a commit into a folder; return it."""
    archive = subprocess.run(["git", "archive", commit], capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
    return folder


def main() -> None:
    """Print the figures as a table."""
    parser = argparse.ArgumentParser(description="How much there is to read.")
    parser.add_argument("--against", metavar="COMMIT", help="an earlier commit, whose figures stand beside ours")
    against = parser.parse_args().against
    columns = {"here": figures(read(Path()))}
    if against:
        with TemporaryDirectory() as folder:
            columns = {against: figures(read(at(against, Path(folder)))), **columns}
    print(f"{'':32}" + "".join(f"{name:>12}" for name in columns))
    for row in columns["here"]:
        print(f"{row:32}" + "".join(f"{column[row]:>12g}" for column in columns.values()))


if __name__ == "__main__":
    main()
