/* SPDX-License-Identifier: MIT */
/* The level of archives to write. */
#include "shared/tool.h"

bool tool_level_fits(const char *command, uint64_t level)
{
    enum { MOST = 3 };
    if (level > MOST)
        tool_say(NULL, "%s: this version has no level %" PRIu64, command, level);
    else if (level > 1 && stamma_predictor_id() == 0)
        tool_say(NULL, "%s: this stamma was built without the predictor's weights, and has no level %" PRIu64, command,
                 level);
    return level <= MOST && (level <= 1 || stamma_predictor_id() != 0);
}
