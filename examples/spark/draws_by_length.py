# SPDX-License-Identifier: MIT
"""Counts games and draws by number of moves, in steps of ten.

usage: spark-submit draws_by_length.py ARCHIVE...
"""
import sys

import stamma.spark
from pyspark.sql import SparkSession


def answer(spark, paths):
    games = spark.read.format("stamma").option("columns", "plies,result").load(paths)
    return (games.selectExpr("plies div 20 * 10 as moves", "int(result = '1/2-1/2') as draw")
            .groupBy("moves").agg({"*": "count", "draw": "sum"}).orderBy("moves")
            .select("moves", "count(1)", "sum(draw)"))


if __name__ == "__main__":
    session = SparkSession.builder.getOrCreate()
    stamma.spark.register(session)
    answer(session, sys.argv[1:]).show(40, truncate=False)
