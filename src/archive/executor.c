/* How much work to give out at once. */
#include "archive/archive.h"

bool stamma_executor_is_given(const stamma_executor *executor)
{
    return !executor || executor->threads < 2 || (executor->start && executor->wait);
}

size_t stamma_job_count(const stamma_executor *executor, uint64_t memory, uint64_t job_memory)
{
    if (!executor || executor->threads < 2)
        return 1;
    uint64_t fit = (memory == 0 ? ARCHIVE_MEMORY_DEFAULT : memory) / job_memory;
    uint64_t wanted = (uint64_t)executor->threads + 1;
    return fit < 1 ? 1 : (size_t)(fit < wanted ? fit : wanted);
}
