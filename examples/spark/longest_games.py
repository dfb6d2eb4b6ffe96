# SPDX-License-Identifier: MIT
"""Lists the twenty longest games.

usage: spark-submit longest_games.py ARCHIVE...
"""
import sys

import stamma.spark
from pyspark.sql import SparkSession


def answer(spark, paths):
    games = spark.read.format("stamma").option("columns", "plies,white,black,result,number,archive").load(paths)
    return (games.orderBy("plies", "archive", "number", ascending=[False, True, True])
            .select("number", "white", "black", "result", "plies").limit(20))


if __name__ == "__main__":
    session = SparkSession.builder.getOrCreate()
    stamma.spark.register(session)
    answer(session, sys.argv[1:]).show(40, truncate=False)
