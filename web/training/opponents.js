/* SPDX-License-Identifier: MIT */
// Gaps of a repertoire: replies of opponents to which it has no answer, in the order of the number of games in which they
// are expected. Own moves are certain, and several marked moves equally likely. Replies have their share of the games.

import { key, playOne } from '../base/rules.js';

export const GAMES = 100; // expected numbers are those of this number of games
const LEAST = 0.5; // positions and gaps that are expected in fewer games are omitted
const PLAYED = 3; // smallest number of games of a reply
const PLIES = 80;

const add = (sums, name, value) => sums.set(name, (sums.get(name) ?? 0) + value);

/** Finds the gaps. found: positions() of the repertoire; start: the key of the first one; ask(position) requests the
 * replies [{uci, san, games}]. Returns [{line, sans, games, all, expected}]. Calls step(n) after n requests. */
export async function findGaps(found, start, ask, step = () => {}) {
  const gaps = new Map();
  const replies = new Map();
  const answers = (name) => { const one = found.get(name); return one?.own && one.moves.size > 0; };

  async function ofReplies(position) {
    if (!replies.has(position.key)) {
      replies.set(position.key, await ask(position));
      step(replies.size);
    }
    return replies.get(position.key);
  }

  async function follow(position, reach, next) {
    const rows = await ofReplies(position);
    const all = rows.reduce((sum, row) => sum + row.games, 0);
    for (const row of rows) {
      const expected = (reach * row.games) / all;
      const played = playOne(position.fen, row.uci);
      if (!played) continue;
      if (answers(key(played.fen))) { add(next, key(played.fen), expected); continue; }
      const name = `${position.key} ${row.uci}`;
      const gap = gaps.get(name) ?? { line: [...position.line, row.uci], sans: [...position.sans, played.san], games: row.games, all, expected: 0 };
      gaps.set(name, { ...gap, expected: gap.expected + expected });
    }
  }

  let level = new Map([[start, GAMES]]);
  for (let ply = 0; ply < PLIES && level.size > 0; ply += 1) {
    const next = new Map();
    for (const [name, reach] of level) {
      const position = found.get(name);
      if (position?.own) for (const move of position.moves.values()) add(next, move.key, reach / position.moves.size);
      else if (position && reach >= LEAST) await follow(position, reach, next);
    }
    level = next;
  }
  return [...gaps.values()].filter((gap) => gap.games >= PLAYED && gap.expected >= LEAST).sort((a, b) => b.expected - a.expected);
}
