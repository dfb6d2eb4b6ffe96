# SPDX-License-Identifier: MIT
"""Reading archives: exact text, all parts, sources, threads, errors."""
import gc
import io
import os
import pickle
import random
import re
import tempfile
import threading
import unittest

import stamma
from support import ARCHIVE, GAMES, InFolder, corpus, has


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


class Text(unittest.TestCase):
    def test_the_games_are_the_exact_text(self):
        archive = stamma.open(ARCHIVE)
        self.assertEqual(b"".join(map(bytes, archive)), read_bytes(GAMES))
        self.assertEqual(archive.text(), read_bytes(GAMES))

    def test_str_loses_nothing(self):
        text = b'[Event "caf\xe9 \xff"]\n\n1. e4 {\xc3\xa9 \xfe} e5 *\n'
        game = stamma.open(stamma.pack(text))[0]
        self.assertEqual(str(game).encode("utf-8", "surrogateescape"), text)
        self.assertEqual(game.event.encode("utf-8", "surrogateescape"), b"caf\xe9 \xff")

    def test_a_game_larger_than_a_block_and_text_after_the_last_game(self):
        large = b'[Event "x"]\n\n1. e4 {' + b"word " * 4_000_000 + b"} e5 *\n\n"
        text = large + b'[Event "y"]\n\n1. d4 *\n\nsome text\n% more\n'
        archive = stamma.open(stamma.pack(text, check=False))
        self.assertEqual(b"".join(map(bytes, archive)), text)
        self.assertEqual(bytes(archive[0]), large)

    def test_values_that_need_escapes(self):
        game = stamma.open(stamma.pack(b'[Event "a \\"b\\" \\\\"]\n[Event "2"]\n\n*\n'))[0]
        self.assertEqual(game.event, 'a "b" \\')
        self.assertEqual(game.tags, {"Event": 'a "b" \\'})
        self.assertEqual(game.tag_pairs[1], ("Event", "2"))

    def test_variants(self):
        for variant, castling in (("FRC", "e1h1"), ("Chess 960", "e1h1"), ("Fischerandom", "e1h1"), ("fischer-random", "e1h1"),
                                  ("Three-check", "e1g1"), ("Standard", "e1g1"), ("", "e1g1")):
            pgn = '[Variant "%s"]\n\n1. e4 e5 2. Nf3 Nc6 3. Be2 Be7 4. O-O *\n' % variant
            self.assertEqual(stamma.open(stamma.pack(pgn.encode()))[0].uci[-1], castling, variant)


class Sequences(unittest.TestCase):
    def test_indices_and_slices(self):
        archive = stamma.open(ARCHIVE)
        self.assertEqual(archive[-1].index, len(archive) - 1)
        self.assertEqual([game.index for game in archive[5:9:2]], [5, 7])
        self.assertEqual([game.index for game in archive[::-1]], list(reversed(range(86))))
        self.assertEqual(archive[90:], [])
        with self.assertRaises(IndexError):
            archive[86]
        with self.assertRaises(IndexError):
            archive[-87]
        with self.assertRaises(TypeError):
            archive["x"]

    def test_sources(self):
        data = read_bytes(ARCHIVE)
        expected = [str(game) for game in stamma.open(ARCHIVE)]
        for source in (data, bytearray(data), io.BytesIO(data)):
            with stamma.open(source) as archive:
                self.assertEqual([str(game) for game in archive], expected)
                self.assertEqual(archive.find(white="Tal").count(), 3)
                self.assertEqual(archive.tree("e4").games, stamma.open(ARCHIVE).tree("e4").games)
                self.assertEqual(archive.stats().games, 86)
        with self.assertRaises(TypeError):
            stamma.open(3)

    def test_a_closed_archive(self):
        archive = stamma.open(ARCHIVE)
        game = archive[3]
        archive.close()
        self.assertEqual(game.white, stamma.open(ARCHIVE)[3].white)
        for call in (lambda: game.san, lambda: archive[0], lambda: list(archive.find()), archive.stats, archive.text):
            with self.assertRaises(ValueError):
                call()

    def test_objects_keep_what_they_need(self):
        games = list(stamma.open(read_bytes(ARCHIVE)))
        gc.collect()
        self.assertEqual([game.san for game in games], [game.san for game in stamma.open(ARCHIVE)])

    def test_pickles(self):
        self.assertEqual(len(pickle.loads(pickle.dumps(stamma.open(ARCHIVE)))), 86)
        position = stamma.Position.chess960(3)
        self.assertEqual(pickle.loads(pickle.dumps(position)), position)

    def test_threads_share_an_archive(self):
        archive, results = stamma.open(ARCHIVE), []
        games = list(archive)

        def work(first):
            texts = [(str(game), game.san, game.clocks) for game in games[first:] + games[:first]]
            found = archive.find(eco="C", threads=2).indices()
            results.append((texts[len(games) - first:] + texts[:len(games) - first], found))

        threads = [threading.Thread(target=work, args=(11 * i,)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 6)
        self.assertTrue(all(result == results[0] for result in results))


def milliseconds(seconds, key, comment):
    """Returns the time that python-chess reads, or the time of TCEC, which python-chess does not read."""
    found = re.search(r"(?:^|[,\s])%s=(\d+)" % key, comment)
    if seconds is None:
        return int(found.group(1)) if found else None
    return round(1000 * seconds)


@unittest.skipUnless(has("chess"), "there is no python-chess")
class AgainstPythonChess(unittest.TestCase):
    def compare(self, text):
        import chess.pgn
        stream = io.StringIO(text.decode("utf-8", "surrogateescape"))
        for game in stamma.open(stamma.pack(text)):
            other = chess.pgn.read_game(stream)
            if game.untyped not in (None, "layout"):
                continue
            board = other.board()
            san, uci = [], []
            for move in other.mainline_moves():
                san.append(board.san(move))
                uci.append(board.uci(move))
                board.push(move)
            self.assertEqual(game.san, san)
            self.assertEqual(game.uci, uci)
            self.assertEqual(game.white, other.headers["White"])
            nodes = list(other.mainline())
            self.assertEqual(game.clocks, [milliseconds(node.clock(), "tl", node.comment) for node in nodes])
            self.assertEqual(game.times_spent, [milliseconds(node.emt(), "mt", node.comment) for node in nodes])
            for evaluation, node in zip(game.evaluations, nodes):
                score = node.eval()
                if "[%eval" in node.comment:
                    assert score is not None
                    self.assertEqual(evaluation.centipawns, score.white().score())
                    self.assertEqual(evaluation.mate, score.white().mate())

    def test_lichess(self):
        self.compare(corpus("lichess_dump_dev", 120_000))

    def test_times(self):
        games = "".join(f'[Event "{n}"]\n[White "?"]\n\n1. e4 {{[%clk {n // 60}:{n % 60:02}:05.{n % 10}] [%emt 0:00:0{n % 10}]}} e5 '
                        f'{{[%emt 0:{n % 60:02}:01.5]}} {{[%eval {n - 60}.5,{n}]}} *\n\n' for n in range(120))
        self.compare(games.encode())

    def test_readings(self):
        games = ("1. e4 {[%clk 1:30] [%emt 4.5]} e5 {+0.31/12, 1.2s} *", "1. e4 e5 0.5-0.5", '[Result "\xBD-\xBD"]\n\n1. e4',
                 '[Fen "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n[variant "960"]\n[WhiteELO "2850"]\n\n1. O-O *')
        one, two, three, four = [next(iter(stamma.open(stamma.pack(text.encode())))) for text in games]
        self.assertEqual((one.clocks, one.times_spent), ([90000, None], [4500, 1200]))
        self.assertEqual([value and value.centipawns for value in one.evaluations], [None, -31])
        self.assertEqual((two.result, three.result), ("1/2-1/2", "1/2-1/2"))
        self.assertEqual((four.uci, four.white_rating), (["e1h1"], 2850))

    def test_chess960(self):
        self.compare(corpus("chess960_dev", 60_000))

    def test_positions(self):
        import chess
        chance = random.Random(1)
        for _ in range(20):
            board, position = chess.Board(), stamma.Position()
            while not board.is_game_over() and board.ply() < 60:
                self.assertEqual([move.uci for move in position.legal_moves()],
                                 sorted(move.uci() for move in board.legal_moves))
                self.assertEqual(position.fen(), board.fen(en_passant="fen"))
                move = chance.choice(list(board.legal_moves))
                self.assertEqual(position.san(move.uci()), board.san(move))
                board.push(move)
                position = position.make(move.uci())


class Answers(unittest.TestCase):
    def test_answers_of_blocks_add_up(self):
        text = read_bytes(GAMES) + b"\n"
        pieces = [stamma.pack(text * 2), stamma.pack(text), stamma.pack(text * 3)]
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for piece in pieces:
                paths.append(os.path.join(folder, f"{len(paths)}.stamma"))
                with open(paths[-1], "wb") as file:
                    file.write(piece)
            merged = os.path.join(folder, "all.stamma")
            stamma.merge(paths, merged)
            archive = stamma.open(merged)
            blocks = archive.blocks()
            self.assertEqual([len(block.games) for block in blocks], [172, 86, 258])
            ranges = [range(2, 3), range(0, 2)]
            for rules in ({}, {"player": "Tal"}, {"moves": "e4"}):
                rules = dict(rules)
                moves = rules.pop("moves", "")
                trees = [archive.tree(moves, blocks=part, history=True, **rules).to_json() for part in ranges]
                self.assertEqual(stamma.merge_answers(trees), archive.tree(moves, history=True, **rules))
                self.assertEqual(stamma.merge_answers(trees).to_json(), archive.tree(moves, history=True, **rules).to_json())
                stats = [archive.stats(blocks=part, **rules).to_json() for part in ranges]
                self.assertEqual(stamma.merge_answers(stats).to_json(), archive.stats(**rules).to_json())
                found = [number for part in reversed(ranges) for number in archive.find(blocks=part, **rules).indices()]
                self.assertEqual(found, archive.find(**rules).indices())
                self.assertEqual(archive.find(blocks=ranges[0], **rules).results().games, archive.find(
                    blocks=ranges[0], **rules).count())
            self.assertEqual(archive.stats(blocks=range(1, 2)).games, 86)

    def test_an_archive_in_a_file_object_names_players(self):
        with open(ARCHIVE, "rb") as file:
            tree = stamma.open(file).tree()
        self.assertTrue(all(game["white"]["name"] for game in tree.raw["topGames"]))

    def test_damaged_blocks_are_skipped_if_requested(self):
        data = bytearray(stamma.merge([read_bytes(ARCHIVE)] * 3))
        data[len(data) // 2] ^= 1
        archive, games = stamma.open(bytes(data)), stamma.open(ARCHIVE).find(comment="the").indices()
        for _ in range(2):
            with self.assertRaises(stamma.CorruptError):
                archive.find(comment="the").indices()
            self.assertEqual(archive.find(comment="the", sound_only=True).indices(), games + [game + 172 for game in games])

    def test_time_limits(self):
        archive = stamma.open(stamma.merge([read_bytes(ARCHIVE)] * 400))
        for threads in (1, 2):
            for call in (lambda: archive.find(comment="zzz", threads=threads, time_limit=0.01).count(),
                         lambda: archive.stats(threads=threads, time_limit=0.01)):
                with self.assertRaises(stamma.CancelledError):
                    call()
        self.assertEqual(archive.find(white="Tal", time_limit=1000).count(), 1200)

    def test_other_texts_are_not_answers(self):
        tree, stats = stamma.open(ARCHIVE).tree().to_json(), stamma.open(ARCHIVE).stats().to_json()
        for texts in ([], ["{}"], ['{"kind": "stats"}'], [tree, stats], [stats, tree], ["x"],
                      [tree, stamma.open(ARCHIVE).tree("e4").to_json()],
                      [tree, stamma.open(ARCHIVE).tree(history=True).to_json()]):
            with self.assertRaises((stamma.StammaError, ValueError, TypeError)):
                stamma.merge_answers(texts)


class Damage(InFolder):
    def test_other_files(self):
        with self.assertRaises(stamma.NotAnArchiveError) as caught:
            stamma.open(GAMES)
        self.assertEqual(caught.exception.file, GAMES)
        for data in (b"", b"x", read_bytes(ARCHIVE)[:7]):
            with self.assertRaises(stamma.StammaError):
                stamma.open(data)
        with self.assertRaises(FileNotFoundError):
            stamma.open("missing.stamma")

    def test_an_error_names_the_place(self):
        data = bytearray(read_bytes(ARCHIVE))
        data[len(data) // 2] ^= 1
        with open("damaged.stamma", "wb") as file:
            file.write(data)
        with self.assertRaises(stamma.CorruptError) as caught:
            stamma.open("damaged.stamma").text()
        self.assertEqual(caught.exception.file, "damaged.stamma")
        self.assertIn("damaged.stamma: ", str(caught.exception))
        verdict = stamma.verify("damaged.stamma")
        self.assertFalse(verdict.sound)
        self.assertEqual(verdict.damages[0].first_game, 0)
        self.assertFalse(stamma.repair("damaged.stamma", "repaired.stamma").complete)
        self.assertTrue(stamma.verify("repaired.stamma").sound)

    def use(self, data, expected):
        """Reads everything from an archive that may be damaged. Each result must be right, or an exception."""
        calls = (lambda: [(bytes(game), game.tags, game.san, game.clocks, game.items) for game in stamma.open(data)],
                 lambda: stamma.open(io.BytesIO(data)).text(),
                 lambda: stamma.open(data).find(fen="8/8/8/8/8/8/8/8", threads=1),
                 lambda: stamma.open(data).find(comment="the", threads=1).indices(),
                 lambda: stamma.open(data).tree("e4", threads=1).to_dict(),
                 lambda: stamma.open(data).stats(threads=1).to_dict(),
                 lambda: stamma.open(data).info(threads=1).to_dict(),
                 lambda: stamma.verify(data, threads=1).sound_counts,
                 lambda: stamma.repair(data, threads=1))
        for i, call in enumerate(calls):
            try:
                result = call()
            except stamma.StammaError:
                continue
            if i == 1:
                self.assertEqual(result, expected)

    def test_damaged_archives_raise_exceptions(self):
        chance = random.Random(7)
        text = read_bytes(GAMES)[:9000]
        for level in (1, 2, 3):
            packed = stamma.pack(text, level=level)
            for _ in range(25):
                data = bytearray(packed)
                for _ in range(chance.randint(1, 4)):
                    data[chance.randrange(len(data))] = chance.randrange(256)
                if chance.random() < 0.2:
                    del data[chance.randrange(len(data)):]
                self.use(bytes(data), text)

    def test_sources_that_change_or_fail(self):
        data = read_bytes(ARCHIVE)

        class Failing(io.BytesIO):
            calls = 0

            def read(self, size=-1):
                self.calls += 1
                if self.calls > 4:
                    raise OSError("the disk is gone")
                return super().read(size)

        with self.assertRaisesRegex(OSError, "the disk is gone"):
            archive = stamma.open(Failing(data))
            for _ in range(10):
                archive.text()
        mapped = bytearray(data)
        with open("short.stamma", "wb") as file:
            file.write(mapped[:-20])
        with self.assertRaises(stamma.StammaError):
            stamma.open("short.stamma").text()


if __name__ == "__main__":
    unittest.main()
