/* SPDX-License-Identifier: MIT */
/* Syzygy tablebases of the server. `stamma tablebase` reads them in a separate process: damaged tables cannot end the
 * server. */
#ifndef STAMMA_SERVE_TABLEBASE_H
#define STAMMA_SERVE_TABLEBASE_H

#include "serving/server.h"

typedef struct serve_tablebase serve_tablebase;

/* Prepares answers; no process is started. Returns NULL after a message if memory is exhausted. */
serve_tablebase *serve_tablebase_open(const serve_options *options);
/* Kills the process when the server ends; no other is started. Accepts NULL. */
void serve_tablebase_stop(serve_tablebase *tablebase);
/* Closes the tablebases. No request may use them any more. Accepts NULL. */
void serve_tablebase_close(serve_tablebase *tablebase);

#endif
