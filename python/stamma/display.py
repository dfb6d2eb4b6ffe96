# SPDX-License-Identifier: MIT
"""Boards as SVG, and games and tables as HTML, for notebooks. Text of games is always escaped."""

from __future__ import annotations

import html
import itertools
from typing import Any, Iterable, List, Optional, Sequence, Tuple, TYPE_CHECKING

from .moves import Move, square_name

if TYPE_CHECKING:
    from .games import Game
    from .positions import Position

#: Rows of a table, and plies of a game, that are shown.
ROWS = 10
PLIES = 400
_CELLS = 120  # characters of a value
_LIGHT, _DARK, _MARKED = "#f0d9b5", "#b58863", "#cdd26a"
_GLYPHS = dict(zip("PNBRQKpnbrqk", "♙♘♗♖♕♔♟♞♝♜♛♚"))
_SQUARE = 45


def board_svg(position: Position, *, size: int = 360, last: Optional[Move] = None, flipped: bool = False) -> str:
    """Returns a picture of a position. The squares of the move `last` are marked.

    >>> import stamma
    >>> board_svg(stamma.Position()).count("<text")
    48
    """
    marked = (last.origin, last.target) if last else ()
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {8 * _SQUARE} {8 * _SQUARE}" '
             f'width="{int(size)}" height="{int(size)}" font-family="sans-serif">']
    for square in range(64):
        parts += _square_svg(square, position.piece_at(square), square in marked, flipped)
    return "".join(parts) + "</svg>"


def _square_svg(square: int, piece: Optional[str], marked: bool, flipped: bool) -> Iterable[str]:
    file, rank = square % 8, square // 8
    x, y = ((7 - file, rank) if flipped else (file, 7 - rank))
    color = _MARKED if marked else _LIGHT if (file + rank) % 2 else _DARK
    yield f'<rect x="{x * _SQUARE}" y="{y * _SQUARE}" width="{_SQUARE}" height="{_SQUARE}" fill="{color}"/>'
    if piece:
        # Filled glyphs for both sides, so that pieces of White are not transparent.
        glyph, fill = _GLYPHS[piece.lower()], "#fff" if piece.isupper() else "#000"
        yield (f'<text x="{(x + 0.5) * _SQUARE}" y="{(y + 0.8) * _SQUARE}" font-size="{0.85 * _SQUARE:g}" text-anchor="middle" '
               f'fill="{fill}" stroke="#000" stroke-width="0.7">{glyph}</text>')
    if y == 7:
        yield _label(square_name(square)[0], (x + 0.88) * _SQUARE, 7.95 * _SQUARE)
    if x == 0:
        yield _label(square_name(square)[1], 0.1 * _SQUARE, (y + 0.25) * _SQUARE)


def _label(text: str, x: float, y: float) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="9" text-anchor="middle" fill="#333">{text}</text>'


def _text(value: object) -> str:
    """Returns a value as text of HTML."""
    text = "" if value is None else str(value)
    shown = text if len(text) <= _CELLS else text[:_CELLS] + "…"
    return html.escape(shown.encode("utf-8", "replace").decode(), quote=True)


def table_html(columns: Sequence[str], rows: Iterable[Sequence[object]], note: str) -> str:
    """Returns a table. `note` is shown below the table.

    >>> table_html(["a"], [["<b>"]], "1 row")
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table><p>1 row</p>'
    """
    head = "".join(f"<th>{_text(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{_text(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{_text(note)}</p>"


def games_html(games: Iterable[Game], note: str) -> str:
    """Returns a table of the first games."""
    columns = ("number", "white", "black", "result", "date", "event", "eco", "plies")
    rows = [(game.number, game.white, game.black, game.result, game.date, game.event, game.eco, len(game))
            for game in itertools.islice(games, ROWS)]
    return table_html(columns, rows, note)


def moves_text(game: Game) -> str:
    """Returns the moves of a game with their numbers, cut after `PLIES` plies."""
    number, black = game.start.fullmove_number, game.start.side == "black"
    words: List[str] = []
    for ply, san in enumerate(game.san[:PLIES], black):
        if ply % 2 == 0 or not words:
            words.append(f"{number + ply // 2}." + (".." if ply % 2 else ""))
        words.append(san)
    return " ".join([*words, "…" if len(game) > PLIES else game.result])


def game_html(game: Game) -> str:
    """Returns a game: players, event, the last position, and the moves."""
    players = f"{_player(game.white, game.white_rating)} – {_player(game.black, game.black_rating)}"
    facts = [fact for fact in (game.event, game.site, game.date, game.round, game.eco, game.opening) if fact and fact != "?"]
    return (f"<div><p><b>{players}</b> {_text(game.result)}<br>{_text(', '.join(facts))}</p>{game._repr_svg_()}"
            f"<p>{html.escape(moves_text(game))}</p></div>")


def _player(name: Optional[str], rating: Optional[int]) -> str:
    return _text(name or "?") + (f" ({rating})" if rating else "")


def last_position(game: Game) -> Tuple[Position, Optional[Move]]:
    """Returns the position at the end of the main line, and the last move."""
    moves = game.moves
    return game.positions()[-1], moves[-1] if moves else None


def rows_of_batch(columns: Sequence[str], batch: Any) -> List[List[object]]:
    """Returns the first rows of a batch of `Table.batches`; None for missing values."""
    count = min(ROWS, len(batch[columns[0]]))
    return [[_value(batch, name, row) for name in columns] for row in range(count)]


def _value(batch: Any, name: str, row: int) -> object:
    valid = batch.get(name + "_valid")
    value = batch[name][row]
    if getattr(value, "ndim", 0) > 0:  # a list
        return value.tolist()
    return value if valid is None or bool(valid[row]) else None
