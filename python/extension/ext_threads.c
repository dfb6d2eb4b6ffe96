/* SPDX-License-Identifier: MIT */
/* Worker threads, compiled as a part of the extension: a source distribution has them in the folder of the library. */
#include "threads/worker_threads.c"
