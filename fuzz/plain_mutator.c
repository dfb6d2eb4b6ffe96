/* The mutator of targets that have none of their own, where there is no fuzzer. */
#include "mutators.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    (void)seed;
    return LLVMFuzzerMutate(data, size, room);
}
