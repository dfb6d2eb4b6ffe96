/* SPDX-License-Identifier: MIT */
/* Worker threads, compiled as a part of the extension: a source distribution has them in the folder of the library. */
#include "threads/worker_threads.c"
#if defined(_WIN32)
#include "threads/windows_threads.c"
#else
#include "threads/posix_threads.c"
#endif
