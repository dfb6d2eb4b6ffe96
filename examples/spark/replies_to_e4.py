# SPDX-License-Identifier: MIT
"""Lists the replies to 1. e4 with their results, as `stamma tree --moves e4` does.

usage: spark-submit replies_to_e4.py ARCHIVE...
"""
import sys

import stamma.spark
from pyspark.sql import SparkSession


def answer(spark, paths):
    tree = stamma.spark.tree(spark, paths, "e4")
    return spark.createDataFrame([(move.san, move.games, move.white_wins, move.draws, move.black_wins) for move in tree.moves],
                                 "san string, games long, white_wins long, draws long, black_wins long")


if __name__ == "__main__":
    session = SparkSession.builder.getOrCreate()
    stamma.spark.register(session)
    answer(session, sys.argv[1:]).show(40, truncate=False)
