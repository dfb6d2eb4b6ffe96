# SPDX-License-Identifier: MIT
"""Lists the twenty most frequent positions after ply 16.

usage: spark-submit frequent_positions.py ARCHIVE...
"""
import sys

import stamma.spark
from pyspark.sql import SparkSession, functions as F


def answer(spark, paths):
    plies = spark.read.format("stamma").option("table", "plies").option("columns", "ply,key,fen").load(paths)
    positions = plies.where("ply > 16").groupBy("key").agg(F.count("*").alias("times"), F.min("fen").alias("fen"))
    return positions.orderBy(F.desc("times"), "fen").select("times", "fen").limit(20)


if __name__ == "__main__":
    session = SparkSession.builder.getOrCreate()
    stamma.spark.register(session)
    answer(session, sys.argv[1:]).show(40, truncate=False)
