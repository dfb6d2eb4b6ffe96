/* SPDX-License-Identifier: MIT */
// The order of the moves in the table of a position. An order is the name of a column; a dash before it means that the
// largest value comes first. '' is the order of the server: the moves with the most games first.

const finished = (row) => row.white + row.draws + row.black;

/* Returns the share of the points of the side to move, or of the player if the answer has the games of one player. */
function score(row, isWhite) {
  const [wins, draws, all] = row.player ? [row.player.wins, row.player.draws, row.player.wins + row.player.draws + row.player.losses]
    : [isWhite ? row.white : row.black, row.draws, finished(row)];
  return all > 0 ? (wins + draws / 2) / all : null;
}

const known = (value) => value || null; // 0 and undefined are unknown ratings

const VALUES = {
  move: (row) => row.san,
  games: (row) => row.games ?? finished(row),
  score,
  rating: (row) => known(row.player ? row.player.opponents : row.averageRating),
  performance: (row) => (row.player ? row.player : row).performance ?? null,
  bits: (row) => row.bits ?? null,
  date: (row) => row.lastDate ?? null,
};

/** Returns whether a text is an order. */
export const isOrder = (text) => text === '' || Object.hasOwn(VALUES, text.replace(/^-/, ''));

const isNumber = (column) => column !== 'move';

/** Returns the column of an order, and whether the order descends. */
export const columnOf = (order) => ({ column: order.replace(/^-/, '') || 'games', descending: order === '' || order.startsWith('-') });

/** Returns the order after the heading of a column is used: first the largest numbers, or the texts from A; then the
 * reverse. '-games' is the order of the server. */
export function nextOrder(order, column) {
  const { column: now, descending } = columnOf(order);
  const next = now === column ? !descending : isNumber(column);
  return column === 'games' && next ? '' : `${next ? '-' : ''}${column}`;
}

/** Returns the moves of an answer in an order. Equal moves stay in the order of the answer; moves without a value come
 * last. isWhite: whether White is to move. */
export function inOrder(moves, order, isWhite) {
  if (order === '') return [...moves];
  const { column, descending } = columnOf(order);
  const compare = (a, b) => (typeof a === 'string' && column === 'move' ? a.localeCompare(b, 'en') : a < b ? -1 : Number(a > b));
  return moves.map((row) => ({ row, value: VALUES[column](row, isWhite) })).sort((a, b) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    return (descending ? -1 : 1) * compare(a.value, b.value);
  }).map(({ row }) => row);
}
