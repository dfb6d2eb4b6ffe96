/* SPDX-License-Identifier: MIT */
// Sizes of the codes of a game, from the answer of /encode/sizes.

const sum = (numbers) => numbers.reduce((total, n) => total + (n ?? 0), 0);

/** Returns a row for each encoding: {name, bits (of each ply, or null), total, here, perPly, missing}, the smallest first.
 * Totals count the first `ply` moves; `here` are the bits of the last of these. Encodings without codes for some moves are
 * last. */
export function sizeRows(bits, ply) {
  const rows = Object.entries(bits).map(([name, all]) => {
    const played = all.slice(0, ply);
    return { name, bits: all, total: sum(played), here: played.at(-1) ?? 0, perPly: ply > 0 ? sum(played) / ply : 0, missing: played.filter((n) => n === null).length };
  });
  return rows.sort((a, b) => Math.sign(a.missing) - Math.sign(b.missing) || a.total - b.total);
}

/** Formats a number of bits per ply. */
export const perPly = (n) => n.toFixed(n < 10 ? 2 : 1);
