# SPDX-License-Identifier: MIT
"""Computes the mean information of a move in bits, by rating of White: high for surprising moves.

usage: spark-submit surprise_by_rating.py ARCHIVE...
"""
import sys

import stamma.spark
from pyspark.sql import SparkSession, functions as F


def answer(spark, paths):
    games = spark.read.format("stamma").option("columns", "white_rating,bits").load(paths)
    return (games.where("white_rating is not null")
            .selectExpr("white_rating div 200 * 200 as rating", "explode(bits) as bits").where("not isnan(bits)")
            .groupBy("rating").agg(F.count("*").alias("moves"), F.round(F.avg("bits"), 3).alias("bits")).orderBy("rating"))


if __name__ == "__main__":
    session = SparkSession.builder.getOrCreate()
    stamma.spark.register(session)
    answer(session, sys.argv[1:]).show(40, truncate=False)
