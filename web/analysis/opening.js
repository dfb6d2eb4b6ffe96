/* SPDX-License-Identifier: MIT */
// Which analysis an address without an id means: #/analysis (the last), ?new=1, ?fen=...&play=...&ply=... (from the
// explorer), ?game=ID&archive=...&play=..., ?pgn=... (a link).

import { gameText } from '../base/api.js';
import { stored } from '../study/store.js';
import { blank, enter, entryOf, withLine } from '../study/entries.js';

/** Returns the moves of a parameter. */
export const list = (text) => (text ?? '').split(',').filter(Boolean);

/** Returns {entry, at}: the entry, null if a text is no PGN, and the path to show. */
export async function meant(params, signal) {
  const line = list(params.play);
  if (params.game) return { entry: entryOf(await gameText(params.game, { archive: params.archive }, signal)), at: line };
  if (params.pgn) return { entry: entryOf(params.pgn), at: line };
  if (params.fen || params.play) {
    const { entry, at } = withLine(params.fen, line);
    return { entry, at: at.slice(0, params.ply === undefined ? at.length : Number(params.ply) || 0) };
  }
  return { entry: (params.new ? null : stored()[0]) ?? enter(blank(), ''), at: [] };
}
