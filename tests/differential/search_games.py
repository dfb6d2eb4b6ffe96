# SPDX-License-Identifier: MIT
"""Games of PGN text with every position of their main lines, for the slow search. python-chess implements the rules of
chess. This module splits the text into tags, moves, comments and variations, following doc/format/games.md."""
import collections
import re
from fractions import Fraction

import chess

RESULTS = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "1/2": "1/2-1/2", "*": "*", "0.5-0.5": "1/2-1/2",
           "\xBD-\xBD": "1/2-1/2", "\xC2\xBD-\xC2\xBD": "1/2-1/2"}  # one half in Latin-1 and in UTF-8
USUAL_NAMES = ("Event", "Site", "Date", "Round", "White", "Black", "Result", "FEN", "SetUp", "Variant", "WhiteElo", "BlackElo",
               "UTCDate", "TimeControl", "Termination", "ECO", "Opening")
TAG = re.compile(r'^[ \t]*\[([^\s"\]]+)[ \t]*"(.*)"[ \t]*\]', re.M)
TOKEN = re.compile(r"""(?P<comment>\{[^}]*\}) | ;(?P<rest>[^\r\n]*) | ^%[^\r\n]* | \[[^]\r\n]*\] | (?P<open>\() | (?P<close>\))
                     | \$(?P<nag>\d+) | (?P<suffix>[!?]+) | (?!0\.5-0\.5(?![\w+/\#=:@~\x80-\xff-]))\d+\.+
                     | (?P<word>0\.5-0\.5(?![\w+/\#=:@~\x80-\xff-]) | [\w+/\#=:@~\x80-\xff-]+ | \*)""", re.X | re.M)
MOVE = re.compile(r"O-O(-O)?[+#]?|[a-h](x[a-h])?[18]=?[NBRQ][+#]?|[a-h]?x?[a-h][2-7][+#]?|[NBRQK][a-h]?[1-8]?x?[a-h][1-8][+#]?|--")
EMPTY_LINE = re.compile(r"\n\s*\n|\r\s*\r")
SCORE = r"([+-]?)(?:(\d{1,7}\.\d\d)|M(\d{1,3}))"
CUTECHESS = re.compile(r"\s*" + SCORE + r"/\d{1,3},?\s+\d{1,6}(?:\.\d+)?s(?:$|[,\s])")
TCEC = re.compile(r"(?:^|[,\s])wv=" + SCORE + r"(?:$|[,\s])")
LICHESS = re.compile(r"\[%eval\s+(?:#(-?)(\d+)|([+-]?\d+(?:\.\d+)?))\s*(?:,\s*\d+\s*)?\]")
TIME = r"(?:(?:(\d{1,9}):)?(\d{1,9}):)?(\d{1,9}(?:[.,]\d*)?)"
CLOCK = re.compile(r"\[%clk\s+" + TIME + r"\s*\]")
TIME_LEFT = re.compile(r"(?:^|[,\s])tl=(?:(\d{1,9})|" + TIME + r")(?:$|[,\s])")
SUFFIXES = ["!", "?", "!!", "??", "!?", "?!"]
MATE = 100  # in pawns


def glyphs_of_document():
    """Returns the glyphs of doc/format/games.md, longest first, with their numbers. None: a part of a move."""
    glyphs = {}
    with open("doc/format/games.md", encoding="utf-8") as file:
        rows = re.findall(r"^\| (none|[\d, ]+) \| (.*?) \|", file.read().split("## Glyphs")[1], re.M)
    for numbers, groups in rows:
        for number, group in zip(numbers.split(", "), groups.split(", "), strict=True):
            glyphs.update((glyph, None if number == "none" else int(number)) for glyph in re.findall("`(.*?)`", group))
    return dict(sorted(glyphs.items(), key=lambda entry: -len(entry[0])))


GLYPHS = glyphs_of_document()
GLYPH = re.compile("(?:%s)[\ufe0e\ufe0f]?" % "|".join(
    re.escape(glyph).replace(r"\-", "[-\u2010\u2011\u2013\u2212]") for glyph, number in GLYPHS.items() if number))


def glyph_number(glyph):
    return GLYPHS[re.sub("[\u2010\u2011\u2013\u2212]", "-", glyph.rstrip("\ufe0e\ufe0f"))]


def parts_of(word):
    """Returns the move of a word, or "", and the numbers of the glyphs after it."""
    word = decoded(word)
    for size in range(len(word)):
        if size == 0 or MOVE.fullmatch(word[:size]) or word[:size] in GLYPHS:
            if re.fullmatch(f"(?:{GLYPH.pattern})+", word[size:]):
                return word[:size], [glyph_number(glyph) for glyph in GLYPH.findall(word[size:])]
        if MOVE.fullmatch(word):
            break
    return word, []


def decoded(text):
    """Decodes text that was read byte by byte as UTF-8, if it is valid UTF-8, and otherwise as Windows-1252."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return "".join(letter if letter in "\x81\x8D\x8F\x90\x9D" else letter.encode("latin-1").decode("cp1252") for letter in text)


def score(sign, pawns, mate):
    return (-1 if sign == "-" else 1) * (MATE if mate else Fraction(pawns))


def evaluation_of(comment, by_white):
    """Returns an evaluation in pawns from White's side, or None."""
    match = LICHESS.search(comment)
    if match and match[2] and int(match[2]) == 0:
        return MATE if by_white else -MATE
    if match:
        return score(match[1], 0, True) if match[2] else Fraction(match[3])
    match = TCEC.search(comment)
    if match:
        return score(*match.groups())
    match = CUTECHESS.match(comment)
    return score(*match.groups()) * (1 if by_white else -1) if match else None


def clock_of(comment):
    match = CLOCK.search(comment)
    left = None if match else TIME_LEFT.search(comment)
    if left and left[1]:
        return Fraction(int(left[1]), 1000)
    hours, minutes, seconds = match.groups() if match else left.groups()[1:] if left else (0, 0, None)
    if seconds is None:
        return None
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + Fraction(seconds.replace(",", ".").rstrip("."))


def first(values):
    return next((value for value in values if value is not None), None)


def text_of(board):
    """Returns 64 letters, a8 first and h1 last; an empty square is a point."""
    return "".join("." * int(c) if c.isdigit() else c for c in board.board_fen() if c != "/")


def en_passant_of(board):
    """Returns the square of a legal en passant capture, or None."""
    square = board.ep_square
    if square is None:
        return None
    behind = square + (-8 if board.turn else 8)
    if board.piece_at(behind) != chess.Piece(chess.PAWN, not board.turn):
        return None
    for move in board.pseudo_legal_moves:
        if board.is_en_passant(move):
            after = board.copy(stack=False)
            after.push(move)
            if not after.was_into_check():
                return square
    return None


class Move:
    """The properties of a move for queries. The letters of pieces are capitals."""

    def __init__(self, board, move):
        self.white, self.null = board.turn, not move
        self.piece = self.captured = self.promoted = self.castling = ""
        self.en_passant, self.uci = False, set()
        self.rook = None  # for castling: the rook's squares before and after
        if self.null:
            return
        self.origin, self.target = move.from_square, move.to_square
        self.piece = board.piece_at(self.origin).symbol().upper()
        self.uci = {move.uci()}
        self.promoted = chess.piece_symbol(move.promotion).upper() if move.promotion else ""
        self.en_passant = board.is_en_passant(move)
        if board.is_castling(move):
            short = board.is_kingside_castling(move)
            self.castling = "short" if short else "long"
            self.target = (self.origin & 56) + (6 if short else 2)
            self.uci.add(chess.Move(self.origin, self.target).uci())
            after = board.copy(stack=False)
            after.push(move)
            rooks = board.pieces_mask(chess.ROOK, self.white), after.pieces_mask(chess.ROOK, self.white)
            place = (self.origin & 56) + (5 if short else 3)
            self.rook = (chess.msb(rooks[0] & ~rooks[1]) if rooks[0] != rooks[1] else place, place)
            self.uci.add(chess.Move(self.origin, self.rook[0]).uci())
        elif self.en_passant:
            self.captured = "P"
        elif board.piece_at(self.target):
            self.captured = board.piece_at(self.target).symbol().upper()


class Ply:
    """A position, the move that led to it (None for the first position), and the data of its comments."""

    def __init__(self, board, move):
        self.board, self.move = board, move
        self.text = text_of(board)
        self.white = board.turn
        self.castling = board.castling_rights
        self.en_passant = en_passant_of(board)
        self.comments, self.nags = [], []

    def key(self):
        return self.text, self.white, self.castling, self.en_passant

    def fen(self):
        """Returns the FEN, with the en passant square only if a capture is legal."""
        board = self.board.copy(stack=False)
        board.ep_square = self.en_passant
        return board.fen(en_passant="fen")


class Line:
    """A variation, as a game that begins in the position before its first move. `base` is the ply of that position,
    `top` the ply at which the outermost variation leaves the main line."""

    def __init__(self, whole, around):
        back = 1 if len(around.plies) > 1 else 0
        self.whole, self.number, self.around = whole, whole.number, around
        self.base = around.base + len(around.plies) - 1 - back
        self.top = self.base if around is whole else around.top
        self.plies, self.broken = [Ply(around.plies[-1 - back].board, None)], around.broken


class Game:
    def __init__(self, number, text):
        self.number, self.whole, self.base, self.lines, self.broken = number, self, 0, [], False
        self.tags, movetext = tags_of(text)
        self.comments, self.has, self.result = [], set(), ""
        self.plies = [Ply(self.start(), None)]
        self.read(movetext)
        self.find_moments()
        for line in [self, *self.lines]:
            seen = collections.Counter()
            for ply in line.plies:
                seen[ply.key()] += 1
                ply.occurrences = seen[ply.key()]
                if line is not self:
                    ply.evaluation = ply.clock = ply.swing = ply.mover_swing = None

    def tag(self, name):
        return next((value for tag, value in self.tags if tag == name), None)

    def start(self):
        fen = self.tag("FEN")
        if fen is None:
            return chess.Board()
        self.has.add("setup")
        board = chess.Board(fen, chess960=True)
        board.castling_rights = board.clean_castling_rights()
        usual = chess.Board(fen)
        if re.search("960|fischer|frc|freestyle", self.tag("Variant") or "", re.I) or usual.clean_castling_rights() != board.castling_rights:
            return board
        usual.castling_rights = usual.clean_castling_rights()
        return usual

    def read(self, movetext):
        """Reads the tokens of a game. After the result, keeps only the tokens that annotate the game, up to an empty
        line."""
        line, end, in_line = self, None, True  # the end of the last token if this is the result or follows the result
        for match in TOKEN.finditer(movetext):
            kind, value = match.lastgroup, match[match.lastgroup] if match.lastgroup else ""
            if end is not None and line is self:
                gap, end = movetext[end:match.start()], match.end()
                in_line = in_line and not re.search(r"[\r\n]", gap)
                if EMPTY_LINE.search(gap) or (kind == "word" and not follows(value, in_line)):
                    return
                if kind == "word" and not is_glyphs(value):
                    continue
            if kind in ("comment", "rest"):
                self.has.add("comments")
                value = re.sub(r"\s*[\r\n]+\s*", " ", decoded(value[1:-1] if kind == "comment" else value))
                self.comments.append(value)
                if not line.broken:
                    line.plies[-1].comments.append(value)
            elif kind == "open":
                line = Line(self, line)
                self.has.add("variations")
            elif kind == "close" and line is not self:
                if not line.broken:
                    self.lines.append(line)
                line, end = line.around, end and match.end()
            elif kind in ("nag", "suffix"):
                self.has.add("nags")
                if not line.broken:
                    line.plies[-1].nags.append(int(value) if kind == "nag" else SUFFIXES.index(value[:2]) + 1)
            elif kind == "word":
                if value in RESULTS and line is self:
                    self.result, end = RESULTS[value], match.end()
                    continue
                move, nags = ("", []) if value in RESULTS or value.isdigit() else parts_of(value)
                if move and move not in GLYPHS:
                    line.broken = line.broken or not self.play(line, move)
                self.has |= {"nags"} if nags else set()
                line.plies[-1].nags += [] if line.broken else nags

    def play(self, line, word):
        board = line.plies[-1].board.copy(stack=False)
        try:
            move = board.parse_san(word)
        except ValueError:
            if line is self:
                self.has.add("text")
            return False
        made = Move(board, move)
        board.push(move)
        line.plies.append(Ply(board, made))
        return True

    def find_moments(self):
        """Sets the evaluations and clocks of all plies, and the difference between each evaluation and the previous
        evaluation."""
        last = None
        for number, ply in enumerate(self.plies):
            by_white = not ply.white
            ply.evaluation = first(evaluation_of(c, by_white) for c in ply.comments) if number else None
            ply.clock = first(clock_of(c) for c in ply.comments) if number else None
            change = None if None in (last, ply.evaluation) else ply.evaluation - last
            ply.swing = None if change is None else abs(change)
            ply.mover_swing = None if change is None else change if by_white else -change
            last = last if ply.evaluation is None else ply.evaluation
        self.has |= {"evaluations"} if any(p.evaluation is not None for p in self.plies) else set()
        self.has |= {"clocks"} if any(p.clock is not None for p in self.plies) else set()


def is_glyphs(word):
    return parts_of(word)[0] in GLYPHS or parts_of(word)[0] == ""


def follows(word, in_line):
    """Returns whether a word after the result belongs to the game. `in_line`: it is in the line of the result."""
    return word not in RESULTS and (is_glyphs(word) or (in_line and not MOVE.fullmatch(parts_of(word)[0])))


def usual_name(name):
    return next((usual for usual in USUAL_NAMES if usual.lower() == name.lower()), name)


def tags_of(text):
    """Returns the tags at the start of a text, and the offset after them."""
    tags, at = [], 0
    while True:
        match = TAG.match(text, at)
        if not match:
            return tags, text[at:]
        tags.append((usual_name(match[1]), decoded(re.sub(r"\\(.)", r"\1", match[2]))))
        at = re.compile(r"[ \t]*[\r\n]*").match(text, match.end()).end()


def texts_of(path):
    """Returns the texts of the games of a file whose games all begin with an Event tag."""
    with open(path, "rb") as file:
        text = file.read().decode("latin-1")
    starts = [match.start() for match in re.finditer(r'^\[Event "', text, re.M)] + [len(text)]
    return [text[begin:end] for begin, end in zip(starts, starts[1:])]


def games_of(path):
    return [Game(number, text) for number, text in enumerate(texts_of(path), 1)]
