/* SPDX-License-Identifier: MIT */
// Winning chances: how evaluations are drawn, and which moves lost chances.

const KINDS = [[0.15, 'blunder', '??'], [0.1, 'mistake', '?'], [0.05, 'inaccuracy', '?!']]; // by lost winning chances

/** Converts centipawns from White's side to a share of the height. 0.5 is equal; mates are 0 or 1. Uses Lichess's curve
 * of winning chances. */
export function share(value) {
  if (typeof value === 'object') return value.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-0.00368208 * value));
}

/** Returns the moves that lost winning chances: {ply, kind, glyph, white}. evals[ply] is the evaluation after a ply, from
 * ply 0; null: unknown. isWhite(ply): whether White played the ply. */
export function judge(evals, isWhite) {
  return evals.flatMap((after, ply) => {
    const before = evals[ply - 1] ?? null;
    if (ply === 0 || after === null || before === null) return [];
    const loss = (share(before) - share(after)) * (isWhite(ply) ? 1 : -1);
    const found = KINDS.find(([least]) => loss >= least);
    return found ? [{ ply, kind: found[1], glyph: found[2], white: isWhite(ply) }] : [];
  });
}
