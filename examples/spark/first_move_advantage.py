# SPDX-License-Identifier: MIT
"""Counts games, and half points of White, by mean rating, for players within 100 points.

usage: spark-submit first_move_advantage.py ARCHIVE...
"""
import sys

import stamma.spark
from pyspark.sql import SparkSession


def answer(spark, paths):
    games = spark.read.format("stamma").option("columns", "white_rating,black_rating,result").load(paths)
    return (games.where("result <> '*' and abs(white_rating - black_rating) <= 100")
            .selectExpr("(white_rating + black_rating) div 400 * 200 as rating",
                        "2 * int(result = '1-0') + int(result = '1/2-1/2') as points")
            .groupBy("rating").agg({"*": "count", "points": "sum"}).orderBy("rating")
            .select("rating", "count(1)", "sum(points)"))


if __name__ == "__main__":
    session = SparkSession.builder.getOrCreate()
    stamma.spark.register(session)
    answer(session, sys.argv[1:]).show(40, truncate=False)
