/* SPDX-License-Identifier: MIT */
/* Executors and options of callers, and the number of jobs to run at once. */
#include "archive/archive.h"

static bool executor_is_given(const stamma_executor *executor)
{
    return !executor || executor->threads < 2 || (executor->start && executor->wait);
}

stamma_error stamma_archive_options_read(const void *given, void *options, size_t size,
                                         const stamma_allocator *const *allocator,
                                         const stamma_executor *const *executor)
{
    stamma_error error = stamma_options_read(given, options, size);
    if (error != STAMMA_OK)
        return error;
    return allocator_is_given(*allocator) && executor_is_given(*executor) ? STAMMA_OK : STAMMA_ERROR_BAD_ARGUMENT;
}

size_t stamma_job_count(const stamma_executor *executor, uint64_t memory, uint64_t job_memory)
{
    if (!executor || executor->threads < 2)
        return 1;
    uint64_t fit = (memory == 0 ? MEMORY_DEFAULT : memory) / job_memory;
    uint64_t wanted = (uint64_t)executor->threads + 1;
    return fit < 1 ? 1 : (size_t)(fit < wanted ? fit : wanted);
}
