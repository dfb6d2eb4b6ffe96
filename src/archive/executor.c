/* How much work to give out at once. */
#include "archive/archive.h"

size_t stamma_job_count(const stamma_executor *executor, uint64_t memory, uint64_t job_memory)
{
    if (!executor || executor->threads < 2)
        return 1;
    uint64_t fit = (memory == 0 ? ARCHIVE_MEMORY_DEFAULT : memory) / job_memory;
    uint64_t wanted = (uint64_t)executor->threads + 1;
    return fit < 1 ? 1 : (size_t)(fit < wanted ? fit : wanted);
}
