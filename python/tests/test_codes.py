# SPDX-License-Identifier: MIT
"""Encodings: all forms of codes, explanations, surveys, board representations and the enumeration of moves."""
import io
import json
import os
import subprocess
import unittest

import stamma
from support import ARCHIVE, GAMES, InFolder

STAMMA = os.environ.get("STAMMA", "")
THREE_QUEENS = "4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1"


class Codes(unittest.TestCase):
    def test_forms_of_a_code(self):
        position = stamma.Position()
        for name, code in stamma.encode("Nf3").items():
            encoding = next(known for known in stamma.encodings() if known.name == name)
            if encoding.is_partial or encoding.kind == "game":
                continue
            for form in (code, code.value, code.text):
                self.assertEqual(stamma.decode(form, name, position), position.parse("Nf3"), (name, form))
            if code.bits % 8 == 0:
                self.assertEqual(stamma.decode(code.value.to_bytes(code.bits // 8, "big"), name), position.parse("Nf3"))
        self.assertEqual(stamma.decode(65, "tarrasch").uci, "e2e4")
        forced = stamma.Position("7k/8/8/8/8/8/5q2/7K w - - 0 1") # stalemate: no move has a code
        for code in (0, "", 1):
            self.assertRaises(stamma.CorruptError, stamma.decode, code, "legal-index-bits", forced)

    def test_numbers_that_are_codes_of_several_moves(self):
        ambiguous = 0
        for encoding in stamma.encodings():
            if encoding.is_partial or encoding.kind == "game":
                continue
            for position in stamma.Position().play("d4 d5 c4 dxc4 e4"):
                codes = {move: stamma.encode(move, encoding.name, position) for move in position.legal_moves()}
                values = [code.value for code in codes.values()]
                for move, code in codes.items():
                    if values.count(code.value) == 1:
                        self.assertEqual(stamma.decode(code.value, encoding.name, position), move)
                        continue
                    ambiguous += 1
                    self.assertEqual(encoding.name, "two-index-bits")
                    self.assertRaises(stamma.AmbiguousError, stamma.decode, code.value, encoding.name, position)
        self.assertGreater(ambiguous, 0)

    def test_forms_of_a_code_of_a_position(self):
        position = stamma.Position(THREE_QUEENS)
        for encoding in stamma.position_encodings():
            code = stamma.encode_position(position, encoding.name)
            if code.bits % 8 == 0 and not encoding.is_partial:
                self.assertEqual(stamma.decode_position(code.data, encoding.name), position)
            if encoding.is_text:
                self.assertEqual(stamma.decode_position(code.data.decode("ascii"), encoding.name), position)
        self.assertRaises(stamma.CorruptError, stamma.decode_position, "8/8/8/8/8/8/8/8 w - - 0 1", "fen")
        self.assertRaises(stamma.CorruptError, stamma.decode_position, bytes(200), "packed")
        self.assertRaisesRegex(TypeError, "PositionCode or bytes", stamma.decode_position, "00", "packed")
        self.assertRaisesRegex(ValueError, r"use decode\(\) or decode_game\(\)", stamma.decode_position, "e4", "san")

    def test_all_codes_at_once_are_the_codes_of_each_encoding(self):
        position = stamma.Position(THREE_QUEENS)
        for move in position.legal_moves()[::7]:
            codes = stamma.encode(move, position=position)
            self.assertEqual(len(codes), len(stamma.encodings()))
            for name, code in codes.items():
                self.assertEqual(stamma.encode(move, name, position), code)
        for move in ("e5", 0x131C + 1, 1):
            self.assertRaises(stamma.IllegalError, stamma.encode, move)

    def test_wrong_codes_and_encodings(self):
        start = stamma.Position()
        for call, kind, message in (
                (lambda: stamma.decode("01", "arithmetic"), stamma.ArgumentError, r"complete games: use decode_game\(\)"),
                (lambda: stamma.explain("e4", "arithmetic"), stamma.ArgumentError, r"use explain_game\(\)"),
                (lambda: stamma.encode("e4", "fen"), ValueError, r"encodes positions: use encode_position\(\)"),
                (lambda: stamma.decode("e4", "fen"), ValueError, "0 and 1"),
                (lambda: stamma.decode(1, "fen"), ValueError, r"use decode_position\(\)"),
                (lambda: stamma.explain("e4", "fen"), ValueError, r"use explain_position\(\)"),
                (lambda: stamma.encode_game("e4", "fen"), ValueError, r"use encode_position\(\)"),
                (lambda: stamma.decode_game(b"", "fen"), ValueError, r"use decode_position\(\)"),
                (lambda: stamma.encode_position(start, "san"), ValueError, r"encodes moves: use encode\(\)"),
                (lambda: stamma.survey(["e4"], "fen"), ValueError, r"use survey_positions\(\)"),
                (lambda: stamma.survey_positions(["e4"], "san"), ValueError, r"use survey\(\)"),
                (lambda: stamma.encode("e4", "no-such"), ValueError, r"no encoding \"no-such\"; encodings\(\) lists all"),
                (lambda: stamma.decode(1, "check-flag"), stamma.UnsupportedError, "do not determine the move"),
                (lambda: stamma.encode_game("e4", "butterfly"), stamma.UnsupportedError, r"use encode\(\)"),
                (lambda: stamma.encode_game(["e4", "e4"], "san"), stamma.IllegalError, r"no legal move matches.*\(.*ply 1\)"),
                (lambda: stamma.encode_game([4892, 4892], "san"), stamma.IllegalError, "ply 1"),
                (lambda: stamma.decode("12", "tarrasch"), ValueError, "'12' is not a text of 0 and 1"),
                (lambda: stamma.decode(-1, "tarrasch"), ValueError, "at most 64 bits"),
                (lambda: stamma.decode("0" * 65, "tarrasch"), stamma.CorruptError, "no legal move has this code"),
                (lambda: stamma.decode(bytes(9), "tarrasch"), stamma.CorruptError, "no legal move has this code"),
                (lambda: stamma.decode(1.5, "tarrasch"), TypeError, "Code, int, str or bytes, not float")):
            with self.assertRaisesRegex(kind, message):
                call()

    def test_games_with_their_start(self):
        archive = stamma.open(ARCHIVE)
        with open(GAMES, "rb") as file:
            parsed = stamma.parse_pgn(file.read())
        for game, same in zip(archive, parsed):
            data = stamma.encode_game(game, "tarrasch")
            self.assertEqual(data, stamma.encode_game(game.moves, "tarrasch", game.start))
            self.assertEqual(data, stamma.encode_game(game.san, "tarrasch", game.start))
            self.assertEqual(data, stamma.encode_game(same, "tarrasch"))
            self.assertEqual(stamma.decode_game(data, "tarrasch", game.start), game.moves)

    def test_parts_fill_the_code(self):
        position = stamma.Position(THREE_QUEENS)
        for encoding in stamma.encodings():
            if encoding.kind == "game":
                continue
            code, parts = stamma.encode("Qa8+", encoding.name, position), stamma.explain("Qa8+", encoding.name, position)
            if all(part.bits == 0 for part in parts) and parts:
                self.assertEqual(sum(part.value for part in parts), code.value, encoding.name)
                continue
            self.assertEqual(sum(part.value << code.bits - part.first - part.bits for part in parts), code.value, encoding.name)
        self.assertIn("more than two queens", stamma.explain("Qa8+", "tarrasch", position)[0].text)
        for encoding in stamma.position_encodings():
            parts = stamma.explain_position(position, encoding.name)
            self.assertEqual(parts[-1].first + parts[-1].bits, stamma.encode_position(position, encoding.name).bits)


class Surveys(InFolder):
    def test_sources_of_games(self):
        with open(GAMES, "rb") as file:
            text = file.read()
        expected = stamma.survey(ARCHIVE, "tarrasch")
        archive = stamma.open(ARCHIVE)
        for games in (GAMES, text, io.BytesIO(text), archive, list(archive), stamma.parse_pgn(text)):
            self.assertEqual(stamma.survey(games, ["tarrasch"]), expected)
        self.assertEqual(stamma.survey(archive.find(player="Tal"), "uci")[0].games, archive.find(player="Tal").count())
        self.assertEqual(stamma.survey(["e4 e5", ["d4"]], "move16")[0].plies, 3)
        self.assertEqual(stamma.survey([], "move16")[0].bits_per_ply, 0)

    def test_fallbacks(self):
        game = stamma.parse_pgn(f'[FEN "{THREE_QUEENS}"]\n\n1. Qa8+ Kd7 2. Qbb7+ Kd6 3. Qc5+ Kxc5 1-0')
        row = stamma.survey(game, "tarrasch")[0]
        self.assertEqual((row.fallback_plies, row.fallback_games), (3, 1))
        self.assertEqual(row.fallbacks, [stamma.Fallback("more than two queens", 3, 1)])
        self.assertEqual((row.fallback_plies_both_sides, row.fallback_plies_rest_of_game), (6, 6))

    @unittest.skipUnless(STAMMA, "there is no command")
    def test_the_command_prints_the_same(self):
        command = [STAMMA, "survey", "--json", "--passes", "1", "--codec", "all", GAMES]
        printed = [json.loads(line) for line in subprocess.run(command, check=True, capture_output=True).stdout.splitlines()]
        rows = [row._asdict() for row in [*stamma.survey(GAMES), *stamma.survey_positions(GAMES)]]
        self.assertEqual([row["encoding"] for row in rows], [row["codec"] for row in printed])
        for row, expected in zip(rows, printed):
            row["fallbacks"] = [reason._asdict() for reason in row.get("fallbacks", [])]
            for name, value in row.items():
                other = expected.get({"encoding": "codec"}.get(name, name), [])
                if isinstance(value, float):
                    self.assertAlmostEqual(value, other, 3, (row["encoding"], name))
                else:
                    self.assertEqual(value, other, (row["encoding"], name))


class Boards(unittest.TestCase):
    def test_all_agree(self):
        for fen in ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", THREE_QUEENS):
            position = stamma.Position(fen)
            for board in stamma.boards():
                self.assertEqual(sorted(board.legal_moves(position)), sorted(position.legal_moves()), board.name)
                self.assertEqual([board.perft(position, depth) for depth in range(4)],
                                 [position.perft(depth) for depth in range(4)], board.name)
                self.assertEqual(len(board.state(position)), board.size)
                for move in position.legal_moves()[::5]:
                    self.assertEqual(board.make(position, move).fen(), position.make(move).fen(), board.name)

    def test_errors(self):
        board = stamma.boards()[1]
        self.assertRaises(stamma.IllegalError, board.make, stamma.Position(), "e5")
        self.assertRaises(stamma.IllegalError, board.make, stamma.Position(), 0x131C + 1)
        with self.assertRaisesRegex(ValueError, r"boards\(\) lists all"):
            board._replace(name="x").perft(stamma.Position(), 1)


class Enumeration(unittest.TestCase):
    def test_numbers(self):
        for number in range(0, 45356, 11):
            self.assertEqual(stamma.enumeration_rank(stamma.enumeration_unrank(number)), number)
        position = stamma.Position()
        for move in position.legal_moves():
            one = stamma.enumeration_unrank(stamma.encode(move, "enumeration").value)
            self.assertEqual(one, (move, position.piece_at(move.origin), None))
        self.assertRaises(stamma.ArgumentError, stamma.enumeration_unrank, 45356)
        move = stamma.Move(4892)
        self.assertRaises(stamma.ArgumentError, stamma.enumeration_rank, stamma.EnumeratedMove(move, "B"))
        for piece, captured in (("P", "P"), ("p", "p"), ("x", None), ("", None), ("P", "qq")):
            self.assertRaises(ValueError, stamma.enumeration_rank, stamma.EnumeratedMove(move, piece, captured))


if __name__ == "__main__":
    unittest.main()
