/* SPDX-License-Identifier: MIT */
// A part of a position, in the syntax of `sub-fen` (doc/reference/search.md).

/** 64 squares from a8: '' (anything), '.' (empty), a piece, A, a (any of White's, Black's), ? (any piece). */
export const ANYTHING = Array(64).fill('');

export function toSubFen(squares) {
  const ranks = [];
  for (let rank = 0; rank < 8; rank += 1) {
    const line = squares.slice(8 * rank, 8 * rank + 8).map((square) => square || '1').join('');
    ranks.push(line.replace(/1+/g, (run) => String(run.length)));
  }
  return ranks.join('/');
}

/** Returns the squares of a sub-fen. If this form does not support the sub-fen, all squares are ''. */
export function fromSubFen(text) {
  const ranks = (text ?? '').split('/').map((rank) => [...rank.replace(/[1-8]/g, (n) => ' '.repeat(Number(n)))].map((c) => c.trim()));
  const right = ranks.length === 8 && ranks.every((rank) => rank.length === 8 && rank.every((c) => /^[KQRBNPkqrbnpAa?.]?$/.test(c)));
  return right ? ranks.flat() : [...ANYTHING];
}
