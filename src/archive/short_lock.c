/* SPDX-License-Identifier: MIT */
/* Locks that are held for a few instructions. */
#include "archive/handle.h"

void stamma_short_lock(short_lock *lock)
{
    while (atomic_flag_test_and_set_explicit(&lock->taken, memory_order_acquire)) {
    }
}

void stamma_short_unlock(short_lock *lock)
{
    atomic_flag_clear_explicit(&lock->taken, memory_order_release);
}
