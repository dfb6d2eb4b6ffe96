# SPDX-License-Identifier: MIT
"""Measures the rows per second that Spark reads with a number of executors of one core.

usage: spark_rows.py ARCHIVE EXECUTORS FOLDER     run by spark_speed.sh

Each figure is the median of RUNS runs of a job that reads all named columns and writes nothing. The first run is not
counted. Rows per second are the sum of all executors. "one thread" is the package without Spark. "batches" is a data
source that yields the same record batches without reading an archive, and shows the limit of Spark.
"""
import os
import statistics
import sys
import time

import pyarrow
import pyarrow.ipc
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

import stamma.spark
from stamma.spark_schema import batch_of, columns, ddl

RUNS = int(os.environ.get("RUNS", 5))
GAMES = "number,white,black,result,date,white_rating,black_rating,eco,plies"
PLIES = "game,ply,move16,uci,san,clock_ms,eval_cp,mate"
CHESS_GAMES = 500


class Batches(DataSource):
    """Yields the same record batch again and again."""

    @classmethod
    def name(cls):
        return "batches"

    def schema(self):
        return ddl(columns(self.options["table"], self.options["columns"], [self.options["path"]]))

    def reader(self, schema):
        return BatchesReader(self.options, schema)


class BatchesReader(DataSourceReader):
    def __init__(self, options, schema):
        self.options = dict(options)
        self.schema = schema

    def partitions(self):
        return [InputPartition(number) for number in range(int(self.options["parts"]))]

    def read(self, partition):
        from pyspark.sql.pandas.types import to_arrow_schema

        archive = stamma.open(self.options["path"])
        table = getattr(archive, self.options["table"])(self.options["columns"].split(","), plain_texts=True, threads=1,
                                                        blocks=range(0, 1))
        batch = batch_of(next(iter(table)), to_arrow_schema(self.schema, timezone="UTC"), "")
        for _ in range(int(self.options["rows"]) // (batch.num_rows * int(self.options["parts"])) + 1):
            yield batch


def seconds(work, runs=RUNS):
    """Returns the median of the times of a job, after one that is not counted."""
    times = []
    for _ in range(runs + 1):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times[1:])


def read(frame):
    frame.write.format("noop").mode("overwrite").save()


def show(name, rows, spent):
    print("  %-44s %9.3f s %12d rows a second" % (name, spent, rows / spent), flush=True)


def parse(batches):
    """Parses PGN with python-chess: a row for each ply, with the game, the ply, UCI and SAN."""
    import io

    import chess.pgn
    import pandas

    for batch in batches:
        found = []
        for number, text in zip(batch["number"], batch["text"]):
            game = chess.pgn.read_game(io.StringIO(bytes(text).decode("utf-8", "replace")))
            found += [(number, node.ply(), node.move.uci(), node.san()) for node in game.mainline()]
        yield pandas.DataFrame(found, columns=["game", "ply", "uci", "san"])


def without_spark(path, table, names, rows, schema):
    """Measures the package in one thread, also in processor time, and with the types and the format that Spark receives."""
    from pyspark.sql.pandas.types import to_arrow_schema

    arrow, used = to_arrow_schema(schema, timezone="UTC"), []

    def work(sent=False):
        begin = time.process_time()
        for batch in getattr(stamma.open(path), table)(names.split(","), plain_texts=True, threads=1):
            if sent:
                batch = batch_of(batch, arrow, path)
                with pyarrow.ipc.new_stream(pyarrow.BufferOutputStream(), batch.schema) as stream:
                    stream.write_batch(batch)
        used.append(time.process_time() - begin)

    show(f"{table}, package, one thread", rows, seconds(work))
    show(f"{table}, the same, processor time", rows, statistics.median(used[1:]))
    used.clear()
    seconds(lambda: work(sent=True))
    show(f"{table}, also as Spark receives it", rows, statistics.median(used[1:]))


def measure(spark, path, folder, table, names, executors):
    reader = spark.read.format("stamma").option("table", table).option("columns", names)
    size = max(1, os.path.getsize(path) // (4 * executors))
    frame = reader.option("partition_bytes", size).load(path)
    rows = frame.count()
    if executors == 1:
        without_spark(path, table, names, rows, frame.schema)
    show(f"{table}, archive, {frame.rdd.getNumPartitions()} partitions", rows, seconds(lambda: read(frame)))
    parquet = os.path.join(folder, table + ".parquet")
    if not os.path.exists(parquet):
        frame.write.parquet(parquet)
    show(f"{table}, Parquet", rows, seconds(lambda: read(spark.read.parquet(parquet))))
    same = spark.read.format("batches").option("table", table).option("columns", names).option("rows", rows)
    same = same.option("parts", 4 * executors).load(path)
    show(f"{table}, batches", same.count(), seconds(lambda: read(same)))


def overhead(spark, path):
    """Measures jobs that read a column of numbers in few and in many partitions."""
    reader = spark.read.format("stamma").option("columns", "plies")
    few, many = (reader.option("partition_bytes", size).load(path) for size in (1 << 40, 1))
    parts = many.rdd.getNumPartitions()
    if parts > 1:
        spent = seconds(lambda: read(many)) - seconds(lambda: read(few))
        print("  each further partition %28.1f ms (%d partitions)" % (1000 * spent / (parts - 1), parts), flush=True)


def main(path, executors, folder):
    builder = SparkSession.builder.master(f"local-cluster[{executors},1,2048]")
    for name, value in {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false",
                        "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"] + ":bench", "spark.executor.memory": "1g",
                        "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    stamma.spark.register(spark)
    spark.dataSource.register(Batches)
    print(f"{executors} executor{'s' * (executors > 1)} of one core; {len(stamma.open(path))} games, "
          f"{os.path.getsize(path)} bytes; medians of {RUNS}")
    measure(spark, path, folder, "games", GAMES, executors)
    measure(spark, path, folder, "plies", PLIES, executors)
    texts = spark.read.format("stamma").option("columns", "number,text").load(path).limit(CHESS_GAMES)
    texts = spark.createDataFrame(texts.collect(), texts.schema).repartition(executors)
    frame = texts.mapInPandas(parse, "game long, ply int, uci string, san string")
    show("plies, python-chess", frame.count(), seconds(lambda: read(frame), 1))
    overhead(spark, path)
    spark.stop()


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
