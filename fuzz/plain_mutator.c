/* SPDX-License-Identifier: MIT */
/* The mutator that replay.c uses for fuzz targets without a mutator for their format. */
#include "mutators.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    (void)seed;
    return LLVMFuzzerMutate(data, size, room);
}
