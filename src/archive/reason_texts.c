/* Why something was kept as text, in words. */
#include "archive/archive.h"

const char *stamma_archive_reason_text(stamma_archive_reason reason)
{
    switch (reason) {
    case STAMMA_REASON_NONE: return "typed";
    case STAMMA_REASON_BAD_FEN: return "the FEN tag is not a legal position";
    case STAMMA_REASON_VARIANT: return "a variant of chess";
    case STAMMA_REASON_SYNTAX: return "text that is no PGN";
    case STAMMA_REASON_ILLEGAL_MOVE: return "illegal move";
    case STAMMA_REASON_AMBIGUOUS_MOVE: return "ambiguous move";
    case STAMMA_REASON_DEPTH: return "variations nested too deep";
    case STAMMA_REASON_SIZE: return "game too large for one piece";
    case STAMMA_REASON_LAYOUT: return "unusual layout or spelling";
    case STAMMA_REASON_UNSUPPORTED: return "more legal moves than the move code holds";
    case STAMMA_REASON_FAULT: return "an error in stamma; please report it";
    case STAMMA_REASON_COUNT: break;
    }
    return "unknown reason";
}
