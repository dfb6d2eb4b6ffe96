/* SPDX-License-Identifier: MIT */
/* Runs a target on mutated inputs without libFuzzer, and therefore without coverage. */
#ifndef STAMMA_FUZZ_MUTATION_RUN_H
#define STAMMA_FUZZ_MUTATION_RUN_H

#include <stddef.h>
#include <stdint.h>

/* Adds a copy of an input to the inputs from which other inputs are made. */
void mutation_run_add(const uint8_t *data, size_t size);

/* Runs the target on `count` inputs. Each is an input that was added, or an earlier result, after some mutations. The
 * inputs depend on `seed` and the inputs that were added. An input that fails, or needs more than 20 seconds of
 * processor time, is written to the file `failed`. */
void mutation_run(uint64_t count, uint64_t seed, const char *failed);

/* Seeds LLVMFuzzerMutate (replay.c). */
void mutate_from(uint64_t seed);
/* Runs the target on a copy of exactly `size` bytes, so that a sanitizer detects reads past its end (replay.c). */
void replay_feed(const uint8_t *data, size_t size);

#endif
