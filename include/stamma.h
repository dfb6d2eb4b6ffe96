/* SPDX-License-Identifier: MIT */
/* Stamma: chess games in a few bits per ply, restored byte for byte.
 * Copyright (c) 2026 The Stamma authors. MIT licence; see LICENSE.
 *
 * The complete public interface. A program includes this header, or only the headers of the topics that it needs:
 *
 *   stamma/base.h       errors, text slices, memory, inputs and outputs, threads, version
 *   stamma/board.h      squares, moves, positions, legal moves, keys, perft
 *   stamma/notation.h   FEN, EPD, UCI, SAN, LAN, values of tags and comments
 *   stamma/pgn.h        the PGN reader and writer, changed tags, the game tree
 *   stamma/encodings.h  encodings of moves, games and positions by name; board representations
 *   stamma/model.h      the move predictor
 *   stamma/archive.h    reading archives
 *   stamma/writer.h     writing archives
 *   stamma/repair.h     damage, verification, repair
 *   stamma/search.h     queries, searches, index files
 *   stamma/answers.h    trees of moves, statistics, players, opening books
 *   stamma/columns.h    games, plies and positions as Arrow record batches
 *   stamma/flags.h      flags of games that a user sets
 *   stamma/curate.h     games that occur several times, spellings of names
 *
 * Conventions
 *   - A function that can fail returns a stamma_error. If it fails, its outputs are unchanged, unless its comment says
 *     otherwise.
 *   - Values (squares, moves, positions, text slices) are plain structs or integers and are copied by assignment.
 *     Objects are opaque. A function creates an object through its last parameter, and one function closes it; closing
 *     NULL has no effect.
 *   - A pointer may be NULL only if the function's comment says so, or if it is the data of a text or of bytes whose
 *     size is 0. A callback may be NULL only if the comment of its struct says so. For any other NULL, a function that
 *     returns a stamma_error returns STAMMA_ERROR_BAD_ARGUMENT and has no effect; other functions do not check.
 *   - Text is a pointer and a size in bytes. It need not end in NUL.
 *   - A text writer returns the length of the complete text, without the NUL. If length + NUL does not fit in the
 *     space, the function writes only a NUL (nothing if the space is 0). A binary writer returns STAMMA_ERROR_NO_SPACE
 *     and writes nothing.
 *   - An options struct starts with its own size. 0 in any other member selects the default:
 *     stamma_pgn_options options = {.size = sizeof options};
 *     NULL instead of an options struct selects all defaults.
 *     A struct of an older version, which is smaller, is accepted. A struct of a newer version is accepted if the
 *     members that this version does not have are 0; otherwise the function returns STAMMA_ERROR_UNSUPPORTED. Results
 *     that may grow also start with their size. The caller sets it, and the library writes nothing beyond it.
 *   - Comments list errors without their prefix: "ILLEGAL" means STAMMA_ERROR_ILLEGAL. A function that allocates can
 *     return NO_MEMORY, and a function that uses a caller's input or output can return IO.
 *   - An allocator may be NULL, which selects malloc and free. Any other allocator must exist as long as the objects
 *     that use it.
 *   - An object may be used by one thread at a time. Different objects are independent. There is no mutable global
 *     state and no initialisation call.
 *
 * Stability
 *   - From 1.0 on, a program keeps working with each later version of the same major number
 *     (doc/reference/compatibility.md); CHANGELOG.md lists the changes. Numbers that a comment calls permanent never
 *     change.
 *   - Experimental, and exempt from this promise: index files (stamma_index_*), pages (stamma_pages_*), the member
 *     `no_search_columns` of stamma_archive_writer_options, and the texts of stamma_codec_explain and similar
 *     functions. */
#ifndef STAMMA_H
#define STAMMA_H

#include "stamma/base.h"
#include "stamma/board.h"
#include "stamma/notation.h"
#include "stamma/pgn.h"
#include "stamma/encodings.h"
#include "stamma/model.h"
#include "stamma/archive.h"
#include "stamma/writer.h"
#include "stamma/repair.h"
#include "stamma/search.h"
#include "stamma/answers.h"
#include "stamma/pages.h"
#include "stamma/columns.h"
#include "stamma/flags.h"
#include "stamma/curate.h"
#include "stamma/event.h"

#endif
