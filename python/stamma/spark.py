# SPDX-License-Identifier: MIT
"""Archives in Apache Spark 4.1 and later (doc/howto/spark.md). It needs PySpark and pyarrow, also on the executors.

::

    import stamma.spark

    stamma.spark.register(spark)
    games = spark.read.format("stamma").load("/data/*.stamma")
    plies = spark.read.format("stamma").option("table", "plies").option("columns", "game,ply,clock_ms").load("/data/*.stamma")
    stamma.spark.tree(spark, "/data/*.stamma", "e4 c5")
"""

from __future__ import annotations

from typing import Any

from .spark_answers import find, results, stats, tree
from .spark_source import StammaSource

__all__ = ["StammaSource", "find", "register", "results", "stats", "tree"]


def register(spark: Any) -> None:
    """Makes the format "stamma" known to a session, and enables the filters of Spark's Python data sources."""
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(StammaSource)
