# SPDX-License-Identifier: MIT
"""Kinds of queries for positions, material, attacks and courses of games. search_queries.py contains the other
kinds."""
import chess
from query_source import KINDS, kind, material, placement, turning


# ---- exact positions ----

@kind
def fen_initial(s):
    return {"fen": chess.STARTING_FEN, **s.choice([{}, {"ply": 0}, {"ply": "1.."}])}


@kind
def fen_opening(s):
    return {"fen": s.position(None, 4, 12).fen()}


@kind
def fen_common(s):
    return {"fen": s.at(max((s.place(None, 10, 30) for _ in range(30)), key=lambda p: s.places[s.at(p).key()])).fen()}


@kind
def fen_middlegame(s):
    return {"fen": " ".join(s.position(None, 25, 60).fen().split()[:s.choice([4, 6])])}


@kind
def fen_endgame(s):
    return {"fen": s.position("endgame").fen()}


@kind
def fen_last(s):
    game = s.game()
    return {"fen": game.plies[-s.choice([1, 2])].fen() if len(game.plies) > 1 else chess.STARTING_FEN}


@kind
def fen_first(s):
    return {"fen": s.game().plies[0].fen()}


@kind
def fen_setup(s):
    return {"fen": s.position("setup").fen()}


@kind
def fen_absent(s):
    fields = s.position(None, 5, 60).fen().split()
    fields[1], fields[3] = {"w": "b", "b": "w"}[fields[1]], "-"
    return {"fen": " ".join(fields)} if s.chance(60) else {"fen": "8/8/3k4/8/1PP5/8/4K3/7r w - - 0 1"}


@kind
def fen_en_passant(s):
    fields = s.position("en-passant").fen().split()
    option = s.choice([0, 1, 2])
    if option:
        fields[3] = "-"
    return {"fen": " ".join(fields), **({"ignore-en-passant": True} if option == 2 else {})}


@kind
def fen_double_push(s):
    """An en passant square on which no pawn can capture makes no difference."""
    ply = s.position("double-push")
    return {"fen": s.choice([ply.board.fen(en_passant="fen"), ply.fen()])}


def around(s, special):
    """The position after or before a special move."""
    place = s.place(special, 1)
    return {"fen": s.choice([s.at(place), s.before(place)]).fen()}


@kind
def fen_around_en_passant(s):
    return around(s, "took-en-passant")


@kind
def fen_castling(s):
    """A position after the loss of castling rights: the correct FEN, or the FEN with the earlier rights."""
    place = s.place("lost-right", 1)
    fields, before = s.at(place).fen().split(), s.before(place).fen().split()
    option = s.choice([0, 1, 2, 3])
    if option and set(before[2]) > set(fields[2]):
        fields[2] = "-" if option == 3 else before[2]
    return {"fen": " ".join(fields), **({"ignore-castling": True} if option > 1 else {})}


@kind
def fen_ignoring_castling(s):
    fields = s.position(None, 4, 20).fen().split()
    return {"fen": " ".join([*fields[:2], "-", *fields[3:]]), "ignore-castling": s.chance(70), "ignore-en-passant": s.chance(50)}


@kind
def fen_around_castling(s):
    return around(s, "castling")


@kind
def fen_shredder(s):
    ply = s.position("setup", 0, 30)
    return {"fen": ply.board.fen(shredder=True)}


@kind
def fen_before_promotion(s):
    game, number = s.place("promotion", 1)
    return {"fen": game.plies[max(0, number - s.choice([1, 1, 2, 5]))].fen()}


@kind
def fen_after_promotion(s):
    game, number = s.place("promotion", 1)
    return {"fen": game.plies[min(number + s.choice([0, 0, 1, 3]), len(game.plies) - 1)].fen()}


@kind
def fen_queens(s):
    return {"fen": s.position("queens").fen()}


@kind
def fen_list(s):
    return {"fen": [s.position(None, 3, 10).fen() for _ in range(3)]}


@kind
def fen_neighbours(s):
    """A position and the position after it."""
    game, number = s.place(None, 6, 40)
    around = [game.plies[min(max(0, number + step), len(game.plies) - 1)].fen() for step in (0, 1)]
    return {"streak": [{"fen": fen} for fen in around]}


@kind
def fen_mirrored(s):
    """Reversed files, for games without castling rights or of Chess960."""
    board = s.position(*s.choice([("setup",), ("endgame",)])).board.transform(chess.flip_horizontal)
    return {"fen": board.fen(en_passant="fen"), "mirror": True, **({"flipcolor": True} if s.chance(40) else {})}


@kind
def fen_flipped(s):
    board = s.position(None, 3, 30).board.copy(stack=False)
    return {"fen": board.mirror().fen(en_passant="fen"), "flipcolor": True}


# ---- parts of positions ----

@kind
def sub_fen(s):
    return {"sub-fen": s.mask(s.position(None, 1).text, s.choice([1, 3, 5, 8, 20]))}


@kind
def sub_fen_few(s):
    return {"sub-fen": s.mask(s.position(None, 30).text, s.choice([2, 3, 4]), s.choice([0, 50]))}


@kind
def sub_fen_pawns(s):
    text = s.position(None, 10, 60).text
    return {"sub-fen": placement([c if c in "Pp" else "1" for c in text])}


@kind
def sub_fen_all(s):
    text = s.position(None, 4, 30).text
    return {"sub-fen": placement([c if c != "." or s.chance(50) else "1" for c in text])}


@kind
def sub_fen_list(s):
    return {"sub-fen": [s.mask(s.position(None, 20).text, 6) for _ in range(3)]}


@kind
def sub_fen_flipcolor(s):
    return {"sub-fen": s.mask(s.position(None, 20).text, s.choice([3, 5, 7])), "flipcolor": True}


@kind
def sub_fen_mirror(s):
    return {"sub-fen": s.mask(s.position(None, 20).text, s.choice([3, 4, 5])), "mirror": True}


@kind
def sub_fen_all_turns(s):
    return {"sub-fen": s.mask(s.position(None, 20).text, s.choice([4, 5, 6])), "mirror": True, "flipcolor": True}


@kind
def sub_fen_shift(s):
    text, cells = s.position(None, 20).text, ["1"] * 64
    file, rank = s.random.randrange(6), s.random.randrange(6)
    for i in range(64):
        if file <= i % 8 < file + 3 and rank <= i // 8 < rank + 3 and text[i] != ".":
            cells[i] = text[i]
    return {"sub-fen": placement(cells), "shift": s.choice([True, "files", "ranks"]), **({"flipcolor": True} if s.chance(30) else {})}


@kind
def sub_fen_with_side(s):
    return {"sub-fen": s.mask(s.position(None, 20).text, 5), "stm": s.choice(["white", "black", "White", "BLACK"]), "flipcolor": s.chance(50)}


# ---- material ----

@kind
def material_exact(s):
    return {"material": material(s.position(None, 20).text)}


@kind
def material_endgame(s):
    return {"material": material(s.position("endgame").text), **s.choice([{}, {}, {"flipcolor": True}])}


@kind
def material_loose(s):
    text = material(s.position("endgame", 20).text)
    return {"material": "".join(c + s.choice(["", "", "?", "*", "+"]) if c != "K" else c for c in text)}


@kind
def material_any_number(s):
    return {"material": s.choice(["KR+P*KR+P*", "KQ+R*B*N*P*KQ+R*B*N*P*", "KP*KP*", "KR?P+KR?P+", "KBP*KBP*", "KBP*KNP*", "KRP+KBN?P*", "KQP*KRRP*"]),
            **({"flipcolor": True} if s.chance(50) else {})}


@kind
def material_list(s):
    return {"material": [material(s.position("endgame").text) for _ in range(4)]}


@kind
def material_before_promotion(s):
    game, number = s.place("promotion", 1)
    return {"material": material(game.plies[max(0, number - s.choice([1, 1, 3, 10]))].text)}


@kind
def material_after_promotion(s):
    game, number = s.place("promotion", 1)
    return {"material": material(game.plies[min(number + s.choice([0, 1, 4]), len(game.plies) - 1)].text)}


@kind
def material_queens(s):
    if s.chance(50):
        return {"material": material(s.position("queens").text)}
    return {"material": s.choice(["KQQQ*R*B*N*P*KQ*R*B*N*P*", "KQQ+R*B*N*P*KQ?R*B*N*P*", "KQQKQ", "KRRRR*B*N*P*KQ*R*B*N*P*"]), "flipcolor": True}


@kind
def imbalance(s):
    text = s.position(None, 15).text
    differences = [(c, text.count(c) - text.count(c.lower())) for c in "QRBNP"]
    left, right = "".join(c * n for c, n in differences if n > 0), "".join(c * -n for c, n in differences if n < 0)
    return {"imbalance": left + "v" + right, **({"flipcolor": True} if s.chance(40) else {})}


@kind
def imbalance_known(s):
    return {"imbalance": s.choice(["Nv", "RvB", "RvN", "BvN", "QvRR", "vP", "PPvN", "v", "PvP", "Bv", "QvRB"]), "flipcolor": s.chance(50)}


@kind
def material_for(s):
    return {"material": s.choice(["KR+P*KR+P*", "KP*KP*", material(s.position("endgame").text)]), "for": s.choice([1, 2, 4, 10])}


# ---- pawns ----

@kind
def pawns(s):
    turn = s.choice([{}, {}, {"flipcolor": True}, {"mirror": True}, {"flipcolor": True, "mirror": True}])
    return {"pawns": placement([c if c in "Pp" else "1" for c in s.position(None, 3).text]), **turn}


def pawn_kind(name):
    @kind
    def query(s):
        sides = {side: s.choice(["1..", "2..", 0, 1, 2, "..1", "3..4"]) for side in s.choice([["white"], ["black"], ["white", "black"]])}
        return {name: sides, **({"flipcolor": True} if s.chance(25) else {})}
    KINDS[-1] = (name, query)


for pawns_so in ("passed", "isolated", "doubled", "connected"):
    pawn_kind(pawns_so)


@kind
def pawns_of_all_kinds(s):
    return {"passed": {"white": "1.."}, "isolated": {"black": s.choice([1, "1.."])}, "doubled": {"white": 0}, "connected": {"black": "2.."}}


@kind
def count(s):
    pieces = s.choice(["P", "p", "Pp", "A", "a", "Nn", "Qq", "RQrq", ".", "KQRBNP", "bn", "Aa"])
    return {"count": {"pieces": pieces, "squares": s.choice(["d4 e4 d5 e5", "e", "7", "c3-f6", "a1-h4", "a b g h", "e4 e 4 d3-f5", "2 7", "h8"]),
                      "n": s.choice([0, 1, "2..", "..1", "3..5", 4, [0, 2]])}}


@kind
def count_everywhere(s):
    return {"count": {"pieces": s.choice(["P", "Pp", "Qq", "N", ".", "Aa", "Rr"]), "n": s.choice([0, 1, "2..", "60..", "3..4", "16"])}}


@kind
def objects_listed(s):
    return s.choice([{"count": [{"pieces": "Q", "n": "2.."}, {"pieces": "q", "n": 2}]}, {"count": {"pieces": "n", "squares": s.choice(["e5", "d4-e4", "3"])}},
                     {"passed": [{"white": 2}, {"black": "2.."}]}, {"attacks": ["Nxq", {"from": "b", "to": "Q"}]}, {"doubled": [{"white": 2, "black": 0}, {"black": 3}]},
                     {"attacks": {"from": "R", "to": "c7-h7", "n": "5.."}}, {"attacks": ["Rxa7-c7", "rxh2 h4"]}])


@kind
def count_turned(s):
    return {"count": {"pieces": s.choice(["P", "n", "Q", "R", "PN"]), "squares": s.choice(["a7 b7 c7", "a1-d4", "g", "7 8", "b5-d8"]), "n": s.choice(["1..", "2..", "3.."])},
            **s.choice([{"flipcolor": True}, {"mirror": True}, {"flipcolor": True, "mirror": True}])}


@kind
def light_and_dark(s):
    return s.choice([{"count": {"pieces": s.choice("BbPp"), "squares": s.choice(["light", "dark", "light 8", "dark a1"]), "n": s.choice([0, 1, "4.."])}},
                     {"attacks": s.choice(["Bxlight", "bxdark"])}, {"attackers": {"of": "dark", "by": "A", "n": s.choice([4, "5.."])}}]) | turning(s)


@kind
def opposite_bishops(s):
    return {"opposite-bishops": s.chance(80), **s.choice([{}, {"for": 10}, {"count": {"pieces": "QRNqrn", "n": 0}}])}


@kind
def balance(s):
    return {"balance": s.choice([0, "1..3", "3..", "..-5", [2, -2], "9..", "-1..1"]), "ply": s.choice(["20..", "60.."]), **s.choice([{}, {"flipcolor": True}])}


@kind
def mover_balance(s):
    return {"mover-balance": s.choice([0, "1..3", "3..", "..-5", [2, -2], "9.."]), **s.choice([{}, {"by": "black"}, {"final": {"mover-balance": "..-1"}}])}


@kind
def points(s):
    return {"points": s.choice([{"white": "..10"}, {"black": "..13", "white": "14.."}, {"white": 9, "black": "0..9"}, [{"white": 5}, {"black": 5}], {"black": [3, 4]}]),
            **s.choice([{}, {"flipcolor": True}])}


@kind
def difference(s):
    return {"difference": s.choice([{"of": "N", "minus": "b"}, {"of": "Pp", "minus": "QRBNqrbn", "n": "5.."}, {"of": "A", "minus": "a", "n": "..-3"},
                                    {"of": {"pieces": "P", "squares": "light"}, "minus": {"pieces": "P", "squares": "dark"}, "n": s.choice(["3..", 4])},
                                    [{"of": "Q", "minus": "q"}, {"of": "R", "minus": {"pieces": "r"}, "n": 2}], {"of": "P", "minus": {"pieces": "p", "squares": "a-h 7"[2:]}}]),
            **s.choice([{}, {"flipcolor": True}, {"mirror": True}])}


# ---- lines ----

@kind
def attackers(s):
    return {"attackers": {"of": s.choice(["k", "K", "q", "f7", "e4 d4", "Rr", "h2-h7", "A", "p"]), "by": s.choice(["A", "a", "QRB", "pn", "Aa", "N"]),
                          **s.choice([{}, {"n": 2}, {"n": 0}, {"n": "2.."}, {"n": "3.."}])}, **s.choice([{}, {"flipcolor": True}, {"mirror": True}])}


@kind
def double_check(s):
    return {"attackers": {"of": "k", "by": "A", "n": "2.."}, "stm": "black", "flipcolor": True}


@kind
def ray(s):
    return {"ray": s.choice(["B n k", "QRB n q", "R R q", "Q B p k", "r N K", "BQ a r", "Q Q", "R Q R", "b Aa Aa K", ["R r k", "q P R"], "A n a"]),
            **s.choice([{}, {"flipcolor": True}, {"mirror": True}, {"flipcolor": True, "mirror": True}])}


@kind
def battery(s):
    return {"battery": s.choice(["R", "QB", "QR", "rq", "RQrq", "B", "Q", ["QB", "r"], "A"]), **s.choice([{}, {"flipcolor": True}])}


# ---- courses of games ----

@kind
def repetition(s):
    return {"repetition": s.choice([2, "2..", 3, "3..", "4.."]), **s.choice([{}, {"by": "white"}, {"result": "1/2-1/2"}, {"final": {"repetition": "2.."}}])}


@kind
def halfmove_clock(s):
    return {"halfmove-clock": s.choice(["20..", "30..40", 0, "99..", 15, "50.."]), **s.choice([{}, {"stm": "white"}, {"ply": "60.."}])}


@kind
def path(s):
    return {"path": s.choice(["N g1 f3 e5", "n g8 f6 d5", "Nn 1 3 5", "R a1-h1 a7-h7", "P e2 e4 e5", "P e 8 1", "B light dark", "K e1 g1", "R h1 f1 e1", "Q d1 h5", "R a1 d1",
                              "p 7 1", "N 1-8"[:1] + " a1-h8 c3 d5", ["B f1 c4 b3", "b f8 b4"], "A e4 e5", "Pp 4 6"]),
            **s.choice([{}, {"flipcolor": True}, {"mirror": True}, {"flipcolor": True, "mirror": True}, {"ply": "1.."}])}


@kind
def path_of_a_game(s):
    game, number = s.place(None, 1, 20)
    move = game.plies[number].move
    if move.null:
        return {"path": "K e1 e2"}
    squares = [chess.square_name(move.origin), chess.square_name(move.target)]
    for ply in game.plies[number + 1:]:
        if not ply.move.null and chess.square_name(ply.move.origin) == squares[-1]:
            squares.append(chess.square_name(ply.move.target))
    return {"path": " ".join(["A" if move.white else "a", *squares[:s.choice([2, 3, 4])]])}


# ---- attacks, pins, ends ----

@kind
def attacks(s):
    return {"attacks": s.choice(["BNxq", "Rxe4", "Nxe4 d4", "Pxa", "axK", "Qxq", "nxQR", "Axk", "pxA", "Kxp", "bxf2 f7", "RxR", "AxA"])}


@kind
def attacks_number(s):
    return {"attacks": {"from": s.choice(["N", "Bb", "A", "q", "RQ"]), "to": s.choice(["a", "qr", "d4 e4 d5 e5", "p", "f7", "h1 a8", "RQrq"]), "n": s.choice([0, "2..", 1, "3.."])}}


@kind
def attacks_turned(s):
    return {"attacks": s.choice(["Nxq", "Rxb7", "Bxh7", "Pxn", "Qxg7 h7"]), **s.choice([{"flipcolor": True}, {"mirror": True}, {"flipcolor": True, "mirror": True}])}


@kind
def attacks_material(s):
    return {"attacks": "Nxq", "imbalance": "v", "stm": "black", "flipcolor": s.chance(50)}


@kind
def pinned(s):
    return {"pinned": s.choice(["n", "N", "q", "Q", "Rr", "b", "P", "A", "a", ["N", "b"]]), **({"flipcolor": True} if s.chance(25) else {})}


@kind
def check(s):
    return {"check": s.chance(70), **s.choice([{}, {"stm": "white"}, {"ply": "..10"}, {"captured": "Q"}, {"for": 3}])}


@kind
def mate(s):
    return s.choice([{"mate": True}, {"mate": True, "moved": s.choice("QRBNP")}, {"mate": True, "by": "black"}, {"mate": False, "final": {"mate": True}},
                     {"mate": True, "ply": "..60"}, {"result-type": "mate"}, {"result-type": ["stalemate", "mate"]}])


@kind
def stalemate(s):
    return s.choice([{"stalemate": True}, {"result-type": "stalemate"}, {"stalemate": False, "final": {"stalemate": True}}])


@kind
def side_to_move(s):
    return {"stm": s.choice(["white", "black", "BLACK"]), "ply": s.around(s.random.randrange(80), 0)}


@kind
def ply(s):
    return {"ply": s.around(s.choice([0, 1, 40, 100, 150, 400]))}


@kind
def move_number(s):
    return {"move-number": s.around(s.choice([1, 2, 20, 60, 100]), 2), "stm": s.choice(["white", "black"])}
