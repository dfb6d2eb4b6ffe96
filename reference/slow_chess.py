# SPDX-License-Identifier: MIT
"""The rules of chess, implemented slowly and plainly. An independent implementation for tests, which shares no code
with the library.

A board is a list of 64 characters, a1 first and h8 last: `PNBRQK` white pieces, `pnbrqk` black pieces, `.` an empty
square. A move is a tuple (origin, target, extra). `extra` is the letter of a promotion (N B R Q), O-O or O-O-O for
castling, or empty. The target of castling is the king's destination. Chess960 and set-up positions are supported
throughout.
"""
import re
from dataclasses import dataclass
from typing import Optional

EMPTY = "."
CASTLING = ("O-O", "O-O-O")
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
STRAIGHTS = ((1, 0), (-1, 0), (0, 1), (0, -1))
KNIGHT_STEPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
FULLMOVE_MAX = 65535  # largest fullmove number


def name_of(square):
    return "abcdefgh"[square & 7] + "12345678"[square >> 3]


def uci(move):
    return name_of(move[0]) + name_of(move[1]) + (move[2].lower() if move[2] in "NBRQ" else "")


def ray(square, step):
    """Returns the squares from `square`, exclusive, to the edge of the board."""
    squares = []
    file, rank = (square & 7) + step[0], (square >> 3) + step[1]
    while 0 <= file < 8 and 0 <= rank < 8:
        squares.append(rank * 8 + file)
        file, rank = file + step[0], rank + step[1]
    return squares


def rays(steps):
    return [[r for r in (ray(square, step) for step in steps) if r] for square in range(64)]


def leaps(steps):
    return [[r[0] for r in (ray(square, step) for step in steps) if r] for square in range(64)]


SLIDES = {"B": rays(DIAGONALS), "R": rays(STRAIGHTS), "Q": rays(DIAGONALS + STRAIGHTS)}
LEAPS = {"N": leaps(KNIGHT_STEPS), "K": leaps(DIAGONALS + STRAIGHTS)}
# The squares on which a pawn of a colour (index: white) captures from a square, and the squares from which a pawn
# captures on a square.
PAWN_TARGETS = {True: leaps(((-1, 1), (1, 1))), False: leaps(((-1, -1), (1, -1)))}
PAWN_ORIGINS = {True: PAWN_TARGETS[False], False: PAWN_TARGETS[True]}
# The squares that a piece attacks from a square on an empty board, ascending.
REACH = {kind: [sorted(sum(of_square, [])) for of_square in table] for kind, table in SLIDES.items()}
REACH.update((kind, [sorted(of_square) for of_square in table]) for kind, table in LEAPS.items())


def slide(board, square, kind, through=None):
    """Returns the squares that a bishop, rook or queen on `square` attacks. `through` counts as empty."""
    for squares in SLIDES[kind][square]:
        for target in squares:
            yield target
            if board[target] != EMPTY and target != through:
                break


def is_attacked(board, square, by_white):
    """Returns whether a piece of that colour attacks the square."""
    pawn, knight, bishop, rook, queen, king = "PNBRQK" if by_white else "pnbrqk"
    ways = ((pawn, PAWN_ORIGINS[by_white][square]), (knight, LEAPS["N"][square]), (king, LEAPS["K"][square]),
            (rook + queen, slide(board, square, "R")), (bishop + queen, slide(board, square, "B")))
    return any(board[origin] in pieces for pieces, squares in ways for origin in squares)


@dataclass
class Position:
    """A position. Positions are never changed: a move makes a new one."""
    board: list
    white: bool
    castling: dict  # the squares of the rooks that may castle, by (white, "O-O" or "O-O-O")
    en_passant: Optional[int]  # the square that the pawn of a double push crossed in the last move
    fullmove: int
    halfmove: int = 0  # moves since the last capture or pawn move

    def king(self, white):
        return self.board.index("K" if white else "k")

    def in_check(self):
        return is_attacked(self.board, self.king(self.white), not self.white)

    def leaves_king(self):
        """Returns whether the side that has just moved has left its king in check."""
        return is_attacked(self.board, self.king(not self.white), self.white)

    def own(self, piece):
        return piece != EMPTY and piece.isupper() == self.white

    def moves_of(self, origin):
        """Returns the moves of the piece on `origin`. They may leave the king in check; castling moves are legal."""
        board, kind = self.board, self.board[origin].upper()
        if kind == "P":
            return self.pawn_moves(origin)
        targets = slide(board, origin, kind) if kind in SLIDES else LEAPS[kind][origin]
        moves = [(origin, target, "") for target in targets if not self.own(board[target])]
        return moves + self.castling_moves() if kind == "K" else moves

    def pawn_moves(self, origin):
        board = self.board
        forward, first_rank, last_rank = (8, 1, 7) if self.white else (-8, 6, 0)
        targets = []
        if board[origin + forward] == EMPTY:
            targets.append(origin + forward)
            if origin >> 3 == first_rank and board[origin + 2 * forward] == EMPTY:
                targets.append(origin + 2 * forward)
        for target in PAWN_TARGETS[self.white][origin]:
            piece = board[target]
            if target == self.en_passant or piece != EMPTY and not self.own(piece):
                targets.append(target)
        extras = "BNQR" if (origin + forward) >> 3 == last_rank else ("",)
        return [(origin, target, extra) for target in targets for extra in extras]

    def castling_moves(self):
        """Returns the legal castling moves, by FIDE Chess960 rules II.3 (article 3.8 for the standard start)."""
        return [(self.king(self.white), self.castled_king(side), side) for side in CASTLING if self.may_castle(side)]

    def castled_king(self, side):
        return (0 if self.white else 56) + (6 if side == "O-O" else 2)

    def may_castle(self, side):
        rook = self.castling.get((self.white, side))
        if rook is None:
            return False
        king, target = self.king(self.white), self.castled_king(side)
        rook_target = target - 1 if side == "O-O" else target + 1
        king_way = range(min(king, target), max(king, target) + 1)
        rook_way = range(min(rook, rook_target), max(rook, rook_target) + 1)
        if any(self.board[square] != EMPTY and square not in (king, rook) for square in (*king_way, *rook_way)):
            return False
        board = self.board.copy()
        board[king] = EMPTY
        if any(is_attacked(board, square, not self.white) for square in king_way):
            return False
        board[rook], board[rook_target] = EMPTY, board[rook]  # the rook may have shielded the king
        return not is_attacked(board, target, not self.white)

    def after(self, move):
        """Returns the position after a move of moves_of, or after the null move (None)."""
        board, castling, en_passant = self.board.copy(), self.castling, None
        halfmove = min(self.halfmove + 1, FULLMOVE_MAX)
        if move is not None:
            origin, target, extra = move
            piece, taken = board[origin], board[target]
            board[origin] = EMPTY
            if extra in CASTLING:
                rook = castling[self.white, extra]
                rook_piece, board[rook] = board[rook], EMPTY
                board[target - 1 if extra == "O-O" else target + 1] = rook_piece
            board[target] = piece
            if piece in "Pp":
                if target == self.en_passant:
                    board[target - 8 if self.white else target + 8] = EMPTY
                elif abs(target - origin) == 16:
                    en_passant = (origin + target) // 2
                if extra:
                    board[target] = extra if self.white else extra.lower()
            if piece in "Pp" or taken != EMPTY and extra not in CASTLING:
                halfmove = 0
            castling = {right: rook for right, rook in castling.items()
                        if rook not in (origin, target) and not (piece in "Kk" and right[0] == self.white)}
        fullmove = self.fullmove if self.white else min(self.fullmove + 1, FULLMOVE_MAX)
        return Position(board, not self.white, castling, en_passant, fullmove, halfmove)

    def play(self, move):
        """Returns the position after a move, or None if the move is illegal. The null move (None) is illegal in check."""
        if move is None:
            return None if self.in_check() else self.after(None)
        if not self.own(self.board[move[0]]) or move not in self.moves_of(move[0]):
            return None
        after = self.after(move)
        return None if after.leaves_king() else after

    def legal_moves(self):
        for origin in range(64):
            for move in self.moves_of(origin) if self.own(self.board[origin]) else ():
                if not self.after(move).leaves_king():
                    yield move

    def canonical_moves(self):
        """Returns all legal moves in the order of clause 5.2 of the archive format."""
        def order(move):
            origin, target, extra = move
            if extra in CASTLING:
                target, extra = self.castling[self.white, extra], ""
            return origin & 7, origin >> 3, target & 7, target >> 3, extra
        return sorted(self.legal_moves(), key=order)

    def san(self, move, rank_with_file=False):
        """Returns the SAN (PGN standard 8.2.3) of a legal move, without check or mate. `rank_with_file`: see 6.5."""
        if move is None:
            return "--"
        origin, target, extra = move
        kind = self.board[origin].upper()
        if extra in CASTLING:
            return extra
        if kind == "P":
            text = name_of(origin)[0] + "x" if (target - origin) & 7 else ""
            return text + name_of(target) + ("=" + extra if extra else "")
        takes = "x" if self.board[target] != EMPTY else ""
        origin_text = self.disambiguation(origin, target, kind)
        if rank_with_file and origin_text.isdigit():
            origin_text = name_of(origin)
        return kind + origin_text + takes + name_of(target)

    def disambiguation(self, origin, target, kind):
        piece = self.board[origin]
        if kind == "K" or self.board.count(piece) == 1:
            return ""
        sources = LEAPS[kind][target] if kind in LEAPS else slide(self.board, target, kind)
        others = [square for square in sources if square != origin and self.board[square] == piece
                  and not self.after((square, target, "")).leaves_king()]
        if not others:
            return ""
        if all(square & 7 != origin & 7 for square in others):
            return name_of(origin)[0]
        if all(square >> 3 != origin >> 3 for square in others):
            return name_of(origin)[1]
        return name_of(origin)

    def check_mark(self):
        """Returns the mark that SAN appends to the move that led to this position: "", "+" or "#"."""
        return "" if not self.in_check() else "#" if next(self.legal_moves(), None) is None else "+"


def read_fen(text):
    """Reads a FEN leniently (Annex A of doc/format/archive.md). Raises ValueError for an invalid FEN or an illegal set-up."""
    fields = re.split("[ \t-\r]+", text.strip(" \t\n\v\f\r"))
    if not 1 <= len(fields) <= 6:
        raise ValueError("a FEN has one to six fields")
    placement, side, castling, en_passant, halfmove, fullmove = fields + ["w", "-", "-", "-", "-"][len(fields) - 1:]
    if side not in ("w", "W", "b", "B"):
        raise ValueError("bad side to move")
    board = read_placement(placement)
    position = Position(board, side in "wW", {}, None, read_clock(fullmove, 1), read_clock(halfmove, 0))
    check_set_up(position)
    position.castling = read_castling(board, castling)
    position.en_passant = read_en_passant(position, en_passant)
    return position


def read_clock(text, default):
    if text == "-":
        return default
    if not re.fullmatch("[0-9]+", text):
        raise ValueError("bad clock")
    return FULLMOVE_MAX if len(text.lstrip("0")) > 5 else min(int(text), FULLMOVE_MAX)


def read_placement(text):
    ranks = [re.sub("[1-8]", lambda digit: EMPTY * int(digit[0]), rank) for rank in text.split("/")]
    if len(ranks) != 8 or EMPTY in text or not all(re.fullmatch("[PNBRQKpnbrqk.]{8}", rank) for rank in ranks):
        raise ValueError("bad placement")
    return list("".join(reversed(ranks)))


def check_set_up(position):
    board = position.board
    for pieces in ("PNBRQK", "pnbrqk"):
        if board.count(pieces[5]) != 1 or board.count(pieces[0]) > 8 or sum(piece in pieces for piece in board) > 16:
            raise ValueError("impossible pieces")
    if any(piece in "Pp" for piece in board[:8] + board[56:]):
        raise ValueError("a pawn on the first or last rank")
    if position.leaves_king():
        raise ValueError("the side not to move is in check")


def read_castling(board, text):
    """Returns the rights whose king and rook are in place (Annex A.4)."""
    rights, in_place = {}, {}
    for letter in "" if text == "-" else text:
        if letter not in "KQABCDEFGHkqabcdefgh":
            raise ValueError("bad castling field")
        white = letter.isupper()
        first, king_piece, rook_piece = (0, "K", "R") if white else (56, "k", "r")
        rank = board[first:first + 8]
        king = rank.index(king_piece) if king_piece in rank else None
        rooks = [file for file in range(8) if rank[file] == rook_piece and king is not None]
        if letter in "Kk":
            short, rook = True, max((file for file in rooks if file > king), default=7)
        elif letter in "Qq":
            short, rook = False, min((file for file in rooks if file < king), default=0)
        else:
            rook = "abcdefgh".index(letter.lower())
            short = king is None or rook >= king
        right = white, "O-O" if short else "O-O-O"
        if rights.setdefault(right, rook) != rook:
            raise ValueError("two rooks for one castling right")
        if rook in rooks and (rook > king) == short:
            in_place[right] = first + rook
    return in_place


def read_en_passant(position, text):
    if text == "-":
        return None
    if not re.fullmatch("[a-hA-H][1-8]", text):
        raise ValueError("bad en passant field")
    square = "abcdefgh".index(text[0].lower()) + 8 * (int(text[1]) - 1)
    forward, rank, pawn = (8, 5, "p") if position.white else (-8, 2, "P")
    if square >> 3 != rank:
        return None
    board = position.board
    passed = board[square] == EMPTY and board[square + forward] == EMPTY and board[square - forward] == pawn
    return square if passed else None


START = read_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")


def write_board(position):
    """Returns the first two fields of a FEN: placement and side to move."""
    ranks = ("".join(position.board[at:at + 8]) for at in range(56, -8, -8))
    return re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(ranks)) + (" w" if position.white else " b")


def write_fen(position):
    """Returns the six fields of a FEN, with castling as in X-FEN."""
    rights = ""
    for right, letter in zip(((True, "O-O"), (True, "O-O-O"), (False, "O-O"), (False, "O-O-O")), "KQkq"):
        if right in position.castling:
            rook = position.castling[right]
            further = range(rook + 1, (rook | 7) + 1) if right[1] == "O-O" else range(rook & 56, rook)
            outermost = all(position.board[square] != position.board[rook] for square in further)
            named = name_of(rook)[0]
            rights += letter if outermost else named.upper() if right[0] else named
    square = "-" if position.en_passant is None else name_of(position.en_passant)
    return "%s %s %s %d %d" % (write_board(position), rights or "-", square, position.halfmove, position.fullmove)
