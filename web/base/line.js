/* SPDX-License-Identifier: MIT */
// The parameters of a line in an address.

import { INITIAL } from './rules.js';

/** Reads the parameters of a line: {fen, line, ply}, the start, the complete line in UCI, and the ply shown. */
export function readLine(params) {
  const line = (params.play ?? '').split(',').filter(Boolean);
  const ply = params.ply === undefined ? line.length : Math.max(0, Math.min(line.length, Number(params.ply) || 0));
  return { fen: params.fen || INITIAL, line, ply };
}

/** Returns the parameters of a line, without those that have their default. */
export const lineParams = ({ fen, line, ply }) => ({ fen: fen === INITIAL ? '' : fen, play: line.join(','), ply: ply < line.length ? ply : null });
