/* SPDX-License-Identifier: MIT */
/* Messages that are not printed on stderr. */
#ifndef STAMMA_MESSAGE_OUTPUT_H
#define STAMMA_MESSAGE_OUTPUT_H

#include "shared/tool.h"

/* Writes messages of this thread to an output, without "stamma: " and line feeds, until the next call. NULL: stderr. */
void tool_message_to(const stamma_output *output);

#endif
