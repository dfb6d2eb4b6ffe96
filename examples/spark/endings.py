# SPDX-License-Identifier: MIT
"""Counts the games that reach an ending without queens, with at most seven pieces, by these pieces.

usage: spark-submit endings.py ARCHIVE...
"""
import sys

import stamma.spark
from pyspark.sql import SparkSession


def answer(spark, paths):
    plies = (spark.read.format("stamma").option("table", "plies")
             .option("columns", "archive,game,piece_counts").load(paths))
    few = plies.where("aggregate(piece_counts, 0, (n, c) -> n + c) <= 7 and piece_counts[4] + piece_counts[10] = 0")
    return (few.selectExpr("archive", "game", "array_join(piece_counts, ' ') as pieces").distinct()
            .groupBy("pieces").count().orderBy("count", "pieces", ascending=[False, True]).limit(20))


if __name__ == "__main__":
    session = SparkSession.builder.getOrCreate()
    stamma.spark.register(session)
    answer(session, sys.argv[1:]).show(40, truncate=False)
