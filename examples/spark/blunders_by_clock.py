# SPDX-License-Identifier: MIT
"""Counts moves, and blunders of 2 pawns or more, by remaining time in steps of 30 seconds.

usage: spark-submit blunders_by_clock.py ARCHIVE...
"""
import sys

import stamma.spark
from pyspark.sql import SparkSession, Window, functions as F


def answer(spark, paths):
    plies = (spark.read.format("stamma").option("table", "plies")
             .option("columns", "archive,game,ply,clock_ms,eval_cp,mate").load(paths))
    turn = Window.partitionBy("archive", "game").orderBy("ply")
    plies = plies.withColumn("value", F.expr("coalesce(int(eval_cp), int(10000 * sign(mate)))"))
    loss = (F.lag("value").over(turn) - F.col("value")) * F.when(F.col("ply") % 2 == 1, 1).otherwise(-1)
    return (plies.withColumn("loss", loss).where("clock_ms is not null and loss is not null")
            .groupBy(F.expr("clock_ms div 30000 * 30").alias("seconds"))
            .agg(F.count("*").alias("moves"), F.sum(F.expr("int(loss >= 200)")).alias("blunders")).orderBy("seconds"))


if __name__ == "__main__":
    session = SparkSession.builder.getOrCreate()
    stamma.spark.register(session)
    answer(session, sys.argv[1:]).show(40, truncate=False)
