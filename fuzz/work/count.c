/* SPDX-License-Identifier: MIT */
/* Counts the basic blocks that the program executes. Compiled without `-fsanitize-coverage`, because the compiler
 * inserts a call of TRACE_FUNCTION into every block that it compiles with that option. */
#include <stdint.h>

uint64_t work_count;

void TRACE_FUNCTION(void);

void TRACE_FUNCTION(void)
{
    work_count++;
}
