/* SPDX-License-Identifier: MIT */
// Gaps of a repertoire: common replies of opponents to which the player has no game, or scores badly.

import { walk } from './player_line.js';
import { score } from '../filters/player_side.js';

const POSITIONS = 16; // positions that are compared: those with the most games
const SHOWN = 20;
const LEAST = 3; // smallest number of games of a reply, and of the player's games for a meaningful score
const SHARE = 0.05; // smallest share of the games in the position
const BAD = 40; // percent

/** Returns the positions of a repertoire in which the opponent is to move, most games first: {line, sans, games}. */
export function opponentsTurns(tree, color) {
  const found = color === 'black' ? [{ line: [], sans: [], games: tree.games }] : [];
  walk(tree, (node, line, sans) => {
    if ((line.length % 2 === 1) === (color === 'white') && !node.again) found.push({ line, sans, games: node.continued });
  });
  return found.sort((a, b) => b.games - a.games).slice(0, POSITIONS);
}

/** Compares the replies of all games (field) with those in the player's games, as the server answers them. Returns the
 * gaps: {line, sans, share, field, own: {games, wins, draws, losses}, weight}. */
export function gapsOf(position, field, own) {
  const all = field.reduce((sum, move) => sum + move.games, 0);
  return field.filter((move) => move.games >= LEAST && move.games / all >= SHARE).flatMap((move) => {
    const one = own.find((other) => other.uci === move.uci);
    const side = one ? { games: one.games, ...one.player } : { games: 0, wins: 0, draws: 0, losses: 0 };
    const bad = side.games >= LEAST && score(side) !== null && score(side) < BAD;
    if (side.games > 0 && !bad) return [];
    const share = move.games / all;
    return [{ line: [...position.line, move.uci], sans: [...position.sans, move.san], share, field: all, own: side, weight: share * position.games }];
  });
}

/** Finds the gaps of a repertoire, the most important first. ask(line, own) requests the moves in a position, of all
 * games or of the player's. */
export async function findGaps(tree, color, ask) {
  const found = [];
  for (const position of opponentsTurns(tree, color)) {
    const [field, own] = await Promise.all([ask(position.line, false), ask(position.line, true)]);
    found.push(...gapsOf(position, field, own));
  }
  return found.sort((a, b) => b.weight - a.weight).slice(0, SHOWN);
}
