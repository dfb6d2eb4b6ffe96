# SPDX-License-Identifier: MIT
"""Counts games by speed, and those that ended by time.

usage: spark-submit time_forfeits.py ARCHIVE...
"""
import sys

import stamma.spark
from pyspark.sql import SparkSession


def answer(spark, paths):
    games = spark.read.format("stamma").option("columns", "speed,termination").load(paths)
    return (games.where("speed is not null")
            .selectExpr("speed", "int(coalesce(termination = 'Time forfeit', false)) as forfeit")
            .groupBy("speed").agg({"*": "count", "forfeit": "sum"}).orderBy("speed")
            .select("speed", "count(1)", "sum(forfeit)"))


if __name__ == "__main__":
    session = SparkSession.builder.getOrCreate()
    stamma.spark.register(session)
    answer(session, sys.argv[1:]).show(40, truncate=False)
