/* SPDX-License-Identifier: MIT */
// Titles of analyses. The tag ChapterName is the name that the user chose, and StudyName the folder, as on Lichess.

import { INITIAL, shiftOf } from '../base/rules.js';
import { moveNumber } from '../base/words.js';
import { nodesOn, onward } from './move_tree.js';

const LONGEST = 6; // moves

/** Returns the name of an analysis {tags, tree}; otherwise the players, otherwise the first moves. */
export function titleOf({ tags, tree }) {
  if (tags.ChapterName) return tags.ChapterName;
  const names = [tags.White, tags.Black].map((name) => (name && name !== '?' ? name : null));
  if (names[0] || names[1]) return `${names[0] ?? '?'} – ${names[1] ?? '?'}`;
  const line = nodesOn(tree, onward(tree, [])).slice(1, LONGEST + 1);
  const shift = shiftOf(tree.fen);
  const moves = line.map((node, i) => ((i + shift) % 2 === 0 || i === 0 ? `${moveNumber(i + 1 + shift)} ${node.san}` : node.san));
  if (moves.length > 0) return moves.join(' ');
  return tree.fen === INITIAL ? 'New analysis' : 'Position';
}
