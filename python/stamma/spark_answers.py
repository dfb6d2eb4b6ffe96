# SPDX-License-Identifier: MIT
"""Trees, statistics and results of many archives: partial answers of executors, which are added up."""

from __future__ import annotations

import functools
import json
from typing import Any, Callable, Dict, Iterable, Optional, Sequence, Union

from .answers import Results, Stats, Tree, merge_answers
from .archives import Archive, Condition, Query
from .errors import StammaError
from .positions import MoveLike
from .spark_files import expand, open_archive
from .spark_source import PARTITION_BYTES, BlockRange, all_partitions, failure

Paths = Union[str, Sequence[str]]


def _renumber(value: Any, name: str, before: int) -> Any:
    """Changes the ids of games, `ARCHIVE:NUMBER`, to the ids in an archive in which other games precede these games."""
    if isinstance(value, list):
        return [_renumber(element, name, before) for element in value]
    if not isinstance(value, dict):
        return value
    changed = {key: _renumber(element, name, before) for key, element in value.items()}
    if isinstance(changed.get("id"), str):
        changed["id"] = f"{name}:{int(changed['id'].rpartition(':')[2]) + before}"
    return changed


def _tree_part(archive: Archive, part: BlockRange, name: Optional[str], options: Dict[str, Any]) -> str:
    text = archive.tree(blocks=part.blocks, threads=1, **options).to_json()
    if name is None:
        return text
    return json.dumps(_renumber(json.loads(text), name, part.before), ensure_ascii=False)


def _stats_part(archive: Archive, part: BlockRange, options: Dict[str, Any]) -> str:
    return archive.stats(blocks=part.blocks, threads=1, **options).to_json()


def _results_part(archive: Archive, part: BlockRange, options: Dict[str, Any]) -> Results:
    return archive.find(blocks=part.blocks, threads=1, **options).results()


def _run(question: Callable[..., Any], part: BlockRange) -> Any:
    """Runs a question on a range of blocks. A range that is a complete archive with an index file is searched without a
    range, because a search of a range does not use the complete index file."""
    with open_archive(part.path) as archive:
        if archive.has_index() and len(part.games) == len(archive):
            part = BlockRange(part.path, None, part.games, part.before)  # type: ignore[arg-type]
        try:
            return question(archive, part)
        except (StammaError, OSError) as error:
            raise failure(part.path, archive, error) from None


def _add_texts(one: str, other: str) -> str:
    return merge_answers([one, other]).to_json()


def _add_results(one: Results, other: Results) -> Results:
    return Results(one.games + other.games, one.white_wins + other.white_wins, one.draws + other.draws,
                   one.black_wins + other.black_wins)


def _answer(spark: Any, paths: Paths, size: int, question: Callable[..., Any], add: Callable[[Any, Any], Any]) -> Any:
    """Runs a question on all blocks of the archives on the executors, and adds up the answers in a tree of tasks."""
    parts = all_partitions(expand([paths] if isinstance(paths, str) else list(paths)), size, whole_if_indexed=True)
    if not parts:
        raise ValueError("stamma: the archives have no games")
    tasks = spark.sparkContext.parallelize(parts, len(parts))
    return tasks.map(functools.partial(_run, question)).treeReduce(add)


def tree(spark: Any, paths: Paths, moves: Union[str, Iterable[MoveLike]] = "", query: Optional[Condition] = None, *,
         fen: Optional[str] = None, history: bool = False, name: Optional[str] = None,
         partition_bytes: int = PARTITION_BYTES, **rules: Any) -> Tree:
    """Returns the moves played in a position by the games of archives that match a query.

    ``paths``
        a path or a list of paths, as for `load`
    ``moves``, ``fen``, ``history``, ``query``, ``rules``
        as for `Archive.tree`
    ``name``
        name of the archive that `stamma merge` makes of the archives: the ids of example games are their ids in this
        archive. None: their ids contain the path of the archive that the game is in
    """
    options = {"moves": moves, "fen": fen, "history": history, "query": Query(query, **rules).rules}
    answer: Tree = merge_answers([_answer(  # type: ignore[assignment]
        spark, paths, partition_bytes, functools.partial(_tree_part, name=name, options=options), _add_texts)])
    return answer


def stats(spark: Any, paths: Paths, query: Optional[Condition] = None, *, partition_bytes: int = PARTITION_BYTES,
          **rules: Any) -> Stats:
    """Returns statistics of the games of archives that match a query, as `Archive.stats`."""
    options = {"query": Query(query, **rules).rules}
    answer: Stats = merge_answers([_answer(  # type: ignore[assignment]
        spark, paths, partition_bytes, functools.partial(_stats_part, options=options), _add_texts)])
    return answer


def results(spark: Any, paths: Paths, query: Optional[Condition] = None, *, partition_bytes: int = PARTITION_BYTES,
            **rules: Any) -> Results:
    """Returns the numbers of games by result of the games of archives that match a query."""
    options = {"query": Query(query, **rules).rules}
    answer: Results = _answer(spark, paths, partition_bytes, functools.partial(_results_part, options=options), _add_results)
    return answer


def find(spark: Any, paths: Paths, query: Optional[Condition] = None, *, partition_bytes: int = PARTITION_BYTES,
         **rules: Any) -> Any:
    """Returns the games of archives that match a query, as a DataFrame.

    ``archive``, ``game``
        path of the archive, and number of the game in it
    ``number``
        number of the game in the archive that `stamma merge` makes of the archives
    ``match``
        plies of the match, as `stamma find --matches` prints them
    """
    reader = spark.read.format("stamma").option("table", "matches").option("partition_bytes", partition_bytes)
    return reader.option("query", json.dumps(Query(query, **rules).rules, ensure_ascii=False)).load(
        [paths] if isinstance(paths, str) else list(paths))
