-- SPDX-License-Identifier: MIT
-- Lists the twenty longest games.
SELECT number, white, black, result, plies FROM games ORDER BY plies DESC, number LIMIT 20
