/* SPDX-License-Identifier: MIT */
// A part of a position, in the syntax of `sub-fen` (doc/search.md), and the query for the values of a search form.

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

const COLOURS = { w: 'white', b: 'black' };

/** Returns the rules for a form's values; {} if they select nothing. `query` contains further conditions: throws an
 * error if it is invalid JSON. */
export function toQuery(values) {
  const query = {};
  if (values.sub) {
    query['sub-fen'] = values.sub;
    for (const name of ['shift', 'mirror', 'flipcolor']) if (values[name]) query[name] = true;
  }
  if (values.side) query['side-to-move'] = COLOURS[values.side] ?? values.side;
  if (values.material) query.material = values.material.replace(/\s/g, '');
  if (values.move) query.move = values.move;
  if (values.moment) query['move-number'] = values.moment;
  if (values.comment) query.comment = values.comment;
  if (!values.query) return query;
  let more;
  try {
    more = JSON.parse(values.query);
  } catch (error) {
    throw new Error(`The further conditions are not JSON: ${error.message}`);
  }
  if (more === null || typeof more !== 'object' || Array.isArray(more)) throw new Error('The further conditions are no JSON object, such as {"mate": true}.');
  if (Object.keys(query).length === 0) return more;
  return { ...query, all: [more] };
}
