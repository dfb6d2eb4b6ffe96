/* SPDX-License-Identifier: MIT */
// A line of moves on the board of the views of players, and as text.

import { el } from '../base/dom.js';
import { go, replace } from '../base/address.js';
import { showBelow, showPosition } from '../board/column.js';
import { INITIAL, legalMoves, play } from '../base/rules.js';
import { moveNumber } from '../base/words.js';

/** Shows the position after a line on the board, with links for its moves below. options: whole, the line of the
 * address; address(line) and explorer(line), addresses; hint, a text if the line has no moves. */
export function showOnBoard(line, { whole, address, explorer, hint }) {
  const known = play(INITIAL, line);
  const ply = known.moves.length;
  const last = line[ply - 1];
  showPosition(known.fens[ply], { ply, length: Math.max(ply, whole.length), step: (to) => replace(address(whole.slice(0, to))), play: (move) => go(address([...line, move.uci])),
    start: INITIAL, ucis: line.slice(0, ply), playLine: (ucis) => go(address([...line.slice(0, ply), ...ucis])) },
    { moves: legalMoves(known.fens[ply]), last: last && { from: last.slice(0, 2), to: last.slice(2, 4) } });
  const moves = known.moves.map((move, i) => el('li', {}, i % 2 === 0 && el('span', { class: 'number' }, moveNumber(i + 1)),
    el('a', { href: address(line.slice(0, i + 1)), 'aria-current': i + 1 === ply ? 'step' : null }, move.san)));
  showBelow(moves.length > 0 ? el('ol', { class: 'line', 'aria-label': 'Line' }, ...moves) : el('p', { class: 'hint' }, hint),
    el('p', { class: 'links' }, el('a', { class: 'button', href: explorer(line) }, 'Explore this position')));
}

/** Returns nodes for a line in SAN; its last move is emphasized. */
export const lineNodes = (sans) => sans.flatMap((san, i) => [i % 2 === 0 && el('span', { class: 'number' }, moveNumber(i + 1)),
  i + 1 < sans.length ? `${san} ` : el('strong', {}, san)]);

/** Walks the nodes of a repertoire: visit(node, line in UCI, line in SAN, games with a move in the position before it). */
export function walk(tree, visit) {
  const deeper = (nodes, line, sans, before) => nodes.forEach((node) => {
    const [at, text] = [[...line, node.uci], [...sans, node.san]];
    visit(node, at, text, before);
    deeper(node.moves, at, text, node.continued);
  });
  deeper(tree.moves, [], [], tree.games);
}
