/* SPDX-License-Identifier: MIT */
/* Options that every function must reject, and an assertion that a function rejects them. */
#ifndef STAMMA_TESTS_INVALID_OPTIONS_H
#define STAMMA_TESTS_INVALID_OPTIONS_H

#include "stamma.h"

#define BAD(call) assert_int_equal(call, STAMMA_ERROR_BAD_ARGUMENT)

enum { ALLOCATORS = 3, EXECUTORS = 2 };
/* Each lacks one of its functions. */
extern const stamma_allocator allocators[ALLOCATORS];
extern const stamma_executor executors[EXECUTORS];

#endif
