# SPDX-License-Identifier: MIT
"""Archives in Spark on two executors, which are killed. tests/nightly/spark.sh runs these tests.

LONG=1 repeats the tests of failures 50 times.
"""
import functools
import glob
import importlib.util
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import stamma
from range_server import RangeServer
from support import GAMES, has, odd_games

if not os.environ.get("STAMMA_SPARK"):
    raise unittest.SkipTest("tests/nightly/spark.sh runs these tests")

import pyarrow

from pyspark.sql import SparkSession
from pyspark.sql.types import StringType, StructField, StructType


import stamma.spark
from stamma import spark_answers, spark_files
from stamma.spark_source import Reader, StammaSource
from stamma.spark_writer import writer_of

STAMMA = os.environ["STAMMA"]
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "spark")
LONG = 50 if os.environ.get("LONG") else 1


def command(*words):
    """Returns the output of the command. Ignores its status, which is 1 if nothing is found."""
    return subprocess.run([STAMMA, *words], stdout=subprocess.PIPE, check=False).stdout.decode()


# ---- tasks that fail, on the executors ----


def accident(folder):
    """Does the action in the file `folder`/todo: only once, except `raise-always`. Each call leaves a file."""
    with open(os.path.join(folder, f"call-{os.getpid()}-{time.monotonic_ns()}"), "w"):
        pass
    try:
        with open(os.path.join(folder, "todo")) as file:
            todo = file.read()
        if todo != "raise-always":
            os.rename(os.path.join(folder, "todo"), os.path.join(folder, "done"))
    except FileNotFoundError:
        return
    if todo == "kill":  # the parent of this process starts the workers of the executor, its parent
        with open(f"/proc/{os.getppid()}/stat") as file:
            os.kill(int(file.read().rpartition(")")[2].split()[1]), signal.SIGKILL)
        time.sleep(60)
    elif todo.startswith("raise"):
        raise RuntimeError("an accident")


def broken(batch):
    yield batch
    raise RuntimeError("an accident")


class FailingReader(Reader):
    def __init__(self, options, schema):
        super().__init__(options, schema)
        self.folder = options["accidents"]

    def read(self, partition):
        for number, batch in enumerate(super().read(partition)):
            yield batch
            if number == 0:
                accident(self.folder)


class FailingSource(StammaSource):
    """The data source, whose tasks fail after their first batch."""

    @classmethod
    def name(cls):
        return "failing"

    def reader(self, schema):
        return FailingReader(self.options, schema)


def failing_question(folder, question, archive, part):
    answer = question(archive, part)
    accident(folder)
    return answer


# ---- the session and its archives ----


def setUpModule():
    global spark, work, archives, merged
    work = tempfile.mkdtemp()
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("stamma")
    for name, value in {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "2",
                        "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"], "spark.driver.host": "127.0.0.1",
                        "spark.driver.bindAddress": "127.0.0.1", "spark.executor.memory": "512m",
                        "spark.task.maxFailures": "4", "spark.deploy.maxExecutorRetries": "-1"}.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    stamma.spark.register(spark)
    spark.dataSource.register(FailingSource)
    with open(GAMES, "rb") as file:
        text = file.read() + b"\n"
    archives = []
    for number in range(3):
        archives.append(os.path.join(work, f"{number}.stamma"))
        extra = b'[Event "\xe9"]\n[White "Only %d"]\n[WhiteTeam "T"]\n[Result "*"]\n\n1. e4 e5 *\n\n' % number
        stamma.pack([text * (number + 1), odd_games(200, number), extra], archives[-1])
    merged = os.path.join(work, "all.stamma")
    stamma.merge(archives, merged)


def tearDownModule():
    spark.stop()
    shutil.rmtree(work)


def load(source="stamma", paths=None, **options):
    reader = spark.read.format(source)
    for name, value in options.items():
        reader = reader.option(name, value)
    return reader.load(paths or merged)


def rows(frame):
    return sorted(map(tuple, frame.collect()), key=repr)


def signed(value):
    """Returns a number of 64 bits as Spark has it, also in a list."""
    if isinstance(value, list):
        return [signed(element) for element in value]
    return value - (1 << 64) if isinstance(value, int) and value >= 1 << 63 else value


def of_spark(value):
    if isinstance(value, list):
        return [of_spark(element) for element in value]
    return value.asDict() if hasattr(value, "asDict") else bytes(value) if isinstance(value, bytearray) else value


class Reading(unittest.TestCase):
    def test_all_columns_of_all_tables(self):
        archive = stamma.open(merged)
        for table in ("games", "plies", "positions"):
            names = [column.name for column in archive.table_columns(table)]
            frame = load(table=table, columns=",".join(names), partition_bytes=1)
            self.assertEqual(frame.rdd.getNumPartitions(), 3)
            wanted = pyarrow.table(getattr(archive, table)(names, plain_texts=True)).to_pylist()
            self.assertEqual(sorted((tuple(map(of_spark, row)) for row in frame.collect()), key=repr),
                             sorted((tuple(map(signed, row.values())) for row in wanted), key=repr))

    def test_schemas(self):
        frame = load(paths=archives)
        self.assertIn("white_team", frame.columns)
        self.assertEqual(frame.columns[:3], ["number", "white", "black"])
        chosen = load(paths=archives, columns="archive, white_team, tag:WhiteTeam, number, tag:None")
        self.assertEqual(chosen.columns, ["archive", "white_team", "tag:WhiteTeam", "number", "tag:None"])
        self.assertEqual({row[0] for row in chosen.filter("white_team = 'T'").collect()}, set(archives))
        given = spark.read.format("stamma").schema("plies bigint, white string").load(merged)
        self.assertEqual(given.selectExpr("sum(plies)").first()[0], stamma.open(merged).stats().plies)
        self.assertEqual(load(columns="number").count(), len(stamma.open(merged)))
        for options, message in (({"columns": "whte"}, "did you mean"), ({"table": "games2"}, "unknown table"),
                                 ({"query": '{"plyer": 1}'}, "did you mean"), ({"find": '{"limit": 1}'}, "limit"),
                                 ({"paths": "/nowhere"}, "there is no archive"), ({"paths": GAMES}, "no Stamma archive")):
            with self.assertRaisesRegex(Exception, message):
                load(**options).count()

    def test_paths(self):
        for paths in (os.path.join(work, "[0-2].stamma"), "file://" + work + "/?.stamma", archives):
            self.assertEqual(load(paths=paths, columns="number").count(), len(stamma.open(merged)))
        folder = os.path.join(work, "folder")
        os.makedirs(folder, exist_ok=True)
        shutil.copy(archives[1], os.path.join(folder, "a.stamma"))
        shutil.copy(GAMES, folder)
        self.assertEqual(load(paths=folder, columns="number").count(), len(stamma.open(archives[1])))

    @unittest.skipUnless(importlib.util.find_spec("fsspec") and importlib.util.find_spec("aiohttp"), "no fsspec with HTTP")
    def test_an_http_server(self):
        large = os.path.join(work, "large.stamma")
        stamma.pack([odd_games(200, seed) for seed in range(150)], large)
        server = RangeServer(work)
        self.addCleanup(server.close)
        for path in (merged, large):
            there = server.address + os.path.basename(path)
            self.assertEqual(rows(load(paths=there, columns="number,white,plies", partition_bytes=1)),
                             rows(load(paths=path, columns="number,white,plies")))
        server.sent.clear()
        with spark_files.open_archive(server.address + "large.stamma") as archive:
            self.assertEqual(sum(len(block.games) for block in archive.blocks()), len(stamma.open(large)))
        self.assertLess(sum(size for _, size in server.sent), os.path.getsize(large) / 4)  # plans without reading blocks
        with self.assertRaisesRegex(Exception, server.address + "none.stamma"):
            load(paths=server.address + "none.stamma", columns="number").collect()

    def test_filters(self):
        everything = [row.asDict() for row in load().collect()]
        by_spark = spark.createDataFrame(everything, load().schema)
        conditions = (
            "white_rating >= 2600", "white_rating not in (2500, 2612)", "result <> '1-0'", "result = '*'",
            "plies < 40 and black_rating is not null", "white = 'Tal, Mikhail'", "white = 'tal, mikhail'",
            "event like '%Olymp%'", "date >= date'2010-05-01'", "date < date'1900-01-01'", "date = '2010-02-01'", "eco = 'B90'",
            "eco in ('C41', 'A00')", "white like 'K%' and result = '0-1'", "number between 100 and 120",
            "white_rating <=> null", "not (white_rating > 2500)", "speed <> 'blitz'", "termination is null", "speed is null",
            "speed = 'blitz'", "not (plies > 30)", "round = '1'")
        for condition in conditions[::1 if LONG > 1 else 4]:
            wanted = rows(by_spark.filter(condition).select("number"))
            self.assertEqual(rows(load(partition_bytes=1).filter(condition).select("number")), wanted, condition)
        few = load(partition_bytes=1).filter("number between 100 and 120")
        self.assertLess(few.rdd.getNumPartitions(), 3)
        found = load(query='{"mate": true, "moved": "N"}', columns="number")
        self.assertEqual(" ".join(str(row[0]) for row in rows(found.sort("number"))),
                         " ".join(sorted(command("find", merged, "--mate", "--moved", "N", "--numbers").split(), key=lambda n: repr((int(n),)))))

    def test_explain_shows_filters(self):
        frame = load().filter("white_rating > 2500 and white = 'Tal, Mikhail'")
        text = frame._jdf.queryExecution().explainString(
            spark._jvm.org.apache.spark.sql.execution.ExplainMode.fromString("formatted"))
        self.assertIn("GreaterThan(white_rating,2500)", text.split("PushedFilters")[1].split("\n")[0])
        self.assertIn("(white#", text.split("Condition")[1])


class Answers(unittest.TestCase):
    def test_trees(self):
        for moves, options, words in (("", {}, []), ("e4", {"result": "1-0"}, ["--moves", "e4", "--result", "1-0"]),
                                      ("d4 d5", {"history": True}, ["--moves", "d4 d5", "--history"])):
            for paths, name, files in ((archives, merged, [merged]), (archives, None, archives), (merged, None, [merged])):
                answer = stamma.spark.tree(spark, paths, moves, name=name, partition_bytes=1, **options)
                self.assertEqual(answer.to_json() + "\n", command("tree", "--json", *files, *words))

    def test_statistics_and_results(self):
        for options, words in (({}, []), ({"player": "Tal"}, ["--player", "Tal"])):
            answer = stamma.spark.stats(spark, archives, partition_bytes=1, **options)
            self.assertEqual(answer.to_json() + "\n", command("stats", merged, "--json", *words))
            results = stamma.spark.results(spark, archives, partition_bytes=1, **options)
            wanted = json.loads(command("find", merged, "--wdl", "--json", *words))
            self.assertEqual({name: wanted[name] for name in results.to_dict()}, results.to_dict())

    def test_find(self):
        found = stamma.spark.find(spark, archives, partition_bytes=1, mate=True, moved="N").sort("number").collect()
        self.assertEqual("".join(f"{row.number} {' '.join(map(str, row.match))}\n" for row in found),
                         command("find", merged, "--matches", "--mate", "--moved", "N"))
        sizes = [len(stamma.open(path)) for path in archives]
        for row in found:
            self.assertEqual(row.number, row.game + sum(sizes[:archives.index(row.archive)]))

    def test_an_index_file_is_used(self):
        folder = tempfile.mkdtemp(dir=work)
        paths = [shutil.copy(path, folder) for path in archives]
        for path in paths:
            stamma.index(path)
        answer = stamma.spark.tree(spark, paths, "e4", name=merged, partition_bytes=1)
        self.assertEqual(answer.to_json() + "\n", command("tree", "--json", merged, "--moves", "e4"))
        found = stamma.spark.find(spark, paths, player="Tal", partition_bytes=1)
        self.assertEqual(found.rdd.getNumPartitions(), 3)
        self.assertEqual([row.number for row in found.sort("number").collect()],
                         list(map(int, command("find", merged, "--numbers", "--player", "Tal").split())))
        with open(paths[0] + ".index", "r+b") as file:
            file.write(b"x")
        with self.assertWarns(UserWarning):
            again = stamma.spark.tree(spark, paths, "e4", name=merged)
        self.assertEqual(again, answer)


class Analyses(unittest.TestCase):
    """The scripts in examples/spark return the same rows as DuckDB with the SQL file of the same name."""

    def answer(self, name):
        found = importlib.util.spec_from_file_location(name, os.path.join(EXAMPLES, name + ".py"))
        module = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)
        return [tuple(row) for row in module.answer(spark, [merged]).collect()]

    @unittest.skipUnless(has("duckdb"), "there is no DuckDB")
    def test_analyses(self):
        import duckdb
        archive = stamma.open(merged)
        games = pyarrow.table(archive.games([column.name for column in archive.table_columns()], plain_texts=True))
        plies = pyarrow.table(archive.plies([column.name for column in archive.table_columns("plies")]))
        session = duckdb.connect()
        session.register("games", games)
        session.register("plies", plies)
        names = sorted(name[:-4] for name in os.listdir(EXAMPLES) if name.endswith(".sql"))
        self.assertEqual(len(names), 9)
        for name in names:
            with self.subTest(name), open(os.path.join(EXAMPLES, name + ".sql"), encoding="utf-8") as file:
                wanted = [tuple(row) for row in session.execute(file.read()).fetchall()]
                self.assertEqual(self.answer(name), wanted)
                self.assertGreater(len(wanted), 1)

    def test_a_tree(self):
        tree = json.loads(command("tree", "--json", merged, "--moves", "e4"))
        wanted = [(move["san"], move["sums"]["games"], move["white"], move["draws"], move["black"]) for move in tree["moves"]]
        self.assertEqual(self.answer("replies_to_e4"), wanted)

    def test_each_is_short(self):
        for path in glob.glob(os.path.join(EXAMPLES, "*.py")):
            with open(path, encoding="utf-8") as file:
                self.assertLessEqual(len(file.readlines()), 25, path)


class Writing(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=work)
        self.target = os.path.join(self.folder, "out")

    def joined(self):
        """Returns the text of the archives that were written, and checks that the folder contains no other files."""
        found = sorted(os.listdir(self.target))
        self.assertTrue(all(name.startswith("part-") and name.endswith(".stamma") for name in found), found)
        paths = [os.path.join(self.target, name) for name in found]
        stamma.merge(paths, os.path.join(self.folder, "joined.stamma"), overwrite=True)
        return stamma.open(os.path.join(self.folder, "joined.stamma")).text()

    def test_games_are_packed(self):
        frame = load(columns="text", partition_bytes=1)
        frame.write.format("stamma").mode("append").option("level", 2).save(self.target)
        self.assertEqual(self.joined(), stamma.open(merged).text())
        self.assertEqual(len(os.listdir(self.target)), 3)
        texts = ["1. e4 *", "", None, "1. d4 *\n", "{before} 1. c4 *\n", "1. b4 *\n"]
        strings = spark.createDataFrame([(text,) for text in texts], "pgn string").coalesce(1)
        strings.write.format("stamma").mode("overwrite").save(self.target)
        packed = b"1. e4 *\n\n1. d4 *\n\n{before} 1. c4 *\n1. b4 *\n"
        self.assertEqual(self.joined(), packed)
        strings.limit(0).write.format("stamma").mode("append").save(self.target)
        self.assertEqual(self.joined(), packed)

    def test_errors(self):
        with self.assertRaisesRegex(Exception, "option column"):
            load(columns="white,black").write.format("stamma").mode("append").save(self.target)
        with self.assertRaisesRegex(Exception, "level is 1, 2 or 3"):
            load(columns="text").write.format("stamma").mode("append").option("level", 9).save(self.target)
        self.assertFalse(os.path.exists(self.target))


class Failures(unittest.TestCase):
    """An executor is killed, or a task fails, in each kind of job."""

    def setUp(self):
        self.accidents = tempfile.mkdtemp(dir=work)

    def plan(self, todo):
        for name in os.listdir(self.accidents):
            os.unlink(os.path.join(self.accidents, name))
        with open(os.path.join(self.accidents, "todo"), "w") as file:
            file.write(todo)

    def happened(self):
        return os.path.exists(os.path.join(self.accidents, "done"))

    def calls(self):
        return len(glob.glob(os.path.join(self.accidents, "call-*")))

    def failing(self, **options):
        return load("failing", accidents=self.accidents, partition_bytes=1, **options)

    def answer(self, question, add):
        parts = functools.partial(failing_question, self.accidents, question)
        return spark_answers._answer(spark, archives, 1, parts, add)

    def each_job(self):
        """Runs each kind of job, which must have the right answer."""
        games = self.failing(columns="number,white,date,plies")
        yield "games", lambda: self.assertEqual(rows(games), rows(load(columns="number,white,date,plies")))
        plies = self.failing(table="plies", columns="game,ply,uci")
        yield "plies", lambda: self.assertEqual(rows(plies), rows(load(table="plies", columns="game,ply,uci")))
        tree = functools.partial(spark_answers._tree_part, name=merged, options={"moves": "e4"})
        yield "tree", lambda: self.assertEqual(
            self.answer(tree, spark_answers._add_texts) + "\n", command("tree", "--json", merged, "--moves", "e4"))
        stats = functools.partial(spark_answers._stats_part, options={})
        yield "stats", lambda: self.assertEqual(
            self.answer(stats, spark_answers._add_texts) + "\n", command("stats", "--json", merged))
        matches = self.failing(table="matches", query='{"mate": true}')
        yield "find", lambda: self.assertEqual(
            [row.number for row in matches.sort("number").collect()],
            list(map(int, command("find", merged, "--mate", "--numbers").split())))
        yield "write", self.write

    def write(self):
        writing = Writing()
        writing.setUp()
        self.failing(columns="text").write.format("stamma").mode("append").save(writing.target)
        self.assertEqual(writing.joined(), stamma.open(merged).text())

    def test_killed_executors_and_failed_tasks(self):
        for run in range(LONG):
            for todo in ("kill", "raise"):
                for kind, job in self.each_job():
                    if todo == "raise" and LONG == 1 and kind not in ("plies", "write"):
                        continue
                    with self.subTest(run=run, job=kind, todo=todo):
                        self.plan(todo)
                        job()
                        self.assertTrue(self.happened())

    def test_speculative_duplicates(self):
        """Spark starts no duplicate on the host of a task, so that the writer itself is called twice."""
        folder = os.path.join(self.accidents, "out")
        schema = StructType([StructField("pgn", StringType())])
        batch = pyarrow.record_batch([["1. e4 *", "1. d4 *"]], ["pgn"])
        for _ in range(LONG):
            writer = writer_of({"path": folder}, schema, True)
            first, second = writer.write(iter([batch])), writer.write(iter([batch]))
            self.assertNotEqual(first.temporary, second.temporary)
            with self.assertRaises(RuntimeError):
                writer.write(broken(batch))
            writer.commit([second, None])
            found = os.listdir(folder)
            self.assertEqual(len(found), 1)
            self.assertEqual(stamma.open(os.path.join(folder, found[0])).text(), b"1. e4 *\n\n1. d4 *\n\n")
            with self.assertRaises(OSError):  # an attempt that outlives the job
                writer.write(iter([batch]))
            self.assertEqual(os.listdir(folder), found)

    def test_aborted_jobs_leave_nothing(self):
        self.plan("raise-always")
        writing = Writing()
        writing.setUp()
        os.makedirs(writing.target)
        with self.assertRaisesRegex(Exception, "an accident"):
            self.failing(columns="text").write.format("stamma").mode("append").save(writing.target)
        self.assertEqual(os.listdir(writing.target), [])

    def test_damaged_archives(self):
        path = os.path.join(self.accidents, "damaged.stamma")
        with open(merged, "rb") as file:
            data = bytearray(file.read())
        blocks = stamma.open(merged).blocks()
        chance = random.Random(1)
        for run in range(LONG):
            number = chance.randrange(len(blocks))
            begin = 16 + sum(block.size for block in blocks[:number])
            damaged = bytearray(data)
            damaged[begin + blocks[number].size - 1 - chance.randrange(200)] ^= 1 << chance.randrange(8)
            with open(path, "wb") as file:
                file.write(damaged)
            message = "damaged.stamma: .*block " + str(number)
            with self.assertRaisesRegex(Exception, message):
                load(paths=path, table="plies", columns="san,clock_ms,eval_cp", partition_bytes=1).collect()
            with self.assertRaisesRegex(Exception, message):
                load(paths=path, columns="text", partition_bytes=1).collect()
            sound = load(paths=path, columns="text", partition_bytes=1, sound_only="true").count()
            self.assertEqual(sound, sum(len(block.games) for n, block in enumerate(blocks) if n != number))


if __name__ == "__main__":
    unittest.main()
