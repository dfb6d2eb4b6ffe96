# SPDX-License-Identifier: MIT
"""Counts games of openings by month and by rating of White.

usage: spark-submit opening_popularity.py ARCHIVE...
"""
import sys

import stamma.spark
from pyspark.sql import SparkSession


def answer(spark, paths):
    games = spark.read.format("stamma").option("columns", "opening,date,white_rating").load(paths)
    return (games.where("white_rating is not null and date is not null and opening is not null")
            .selectExpr("date_format(date, 'yyyy-MM') as month", "white_rating div 200 * 200 as rating", "opening")
            .groupBy("month", "rating", "opening").count().orderBy("month", "rating", "opening"))


if __name__ == "__main__":
    session = SparkSession.builder.getOrCreate()
    stamma.spark.register(session)
    answer(session, sys.argv[1:]).show(40, truncate=False)
