/* SPDX-License-Identifier: MIT */
// A repertoire: {color, fen, moves}, a tree of moves from a position. A move is {uci, san, mark, moves}; `mark` says
// whether a move of the player belongs to the repertoire. Unmarked moves of the player, and the moves after them, are kept
// but not trained.
// Trees are never changed: each function returns a new one.

import { INITIAL, key, playOne } from '../base/rules.js';

const BAD = [2, 4]; // the signs ? and ??

/** Returns whether the player makes the move after `plies` moves. */
export const isOwn = ({ color, fen }, plies) => ((fen.split(' ')[1] === 'b' ? 1 : 0) + plies) % 2 === (color === 'white' ? 0 : 1);

export const empty = (color, fen = INITIAL) => ({ color, fen, moves: [] });

/** Joins two lists of moves. A move is marked if it is marked in one of them. */
export function merge(moves, more) {
  const joined = new Map(moves.map((move) => [move.uci, move]));
  for (const move of more) {
    const there = joined.get(move.uci);
    joined.set(move.uci, there ? { ...there, mark: there.mark || move.mark, moves: merge(there.moves, move.moves) } : move);
  }
  return [...joined.values()];
}

/** Returns the repertoire of a report (doc/reference/reports.md). `all`: each move of the player is marked, otherwise the most frequent
 * one. */
export function fromReport(nodes, color, all) {
  const start = empty(color);
  const convert = (moves, plies) => {
    const ordered = [...moves].sort((a, b) => b.games - a.games);
    return ordered.map((node, i) => ({ uci: node.uci, san: node.san, mark: isOwn(start, plies) && (all || i === 0), moves: convert(node.moves, plies + 1) }));
  };
  return { ...start, moves: convert(nodes, 0) };
}

/** Returns the repertoire of an analysis. `all`: each move of the player is marked, except those with the signs ? and ??;
 * otherwise the first one is. */
export function fromAnalysis(tree, color, all) {
  const start = empty(color, tree.fen);
  const convert = (nodes, plies) => nodes.filter((node) => node.uci !== '0000').map((node, i) => ({ uci: node.uci, san: node.san,
    mark: isOwn(start, plies) && (all || i === 0) && !node.nags.some((nag) => BAD.includes(nag)), moves: convert(node.children, plies + 1) }));
  return { ...start, moves: convert(tree.children, 0) };
}

/** Returns the moves on a line, as far as it exists. */
export function movesOn(repertoire, line) {
  const found = [];
  for (let { moves } = repertoire; found.length < line.length; { moves } = found.at(-1)) {
    const move = moves.find((one) => one.uci === line[found.length]);
    if (!move) break;
    found.push(move);
  }
  return found;
}

/** Returns the moves after a line. */
export const after = (repertoire, line) => (line.length === 0 ? repertoire.moves : movesOn(repertoire, line).at(-1)?.moves ?? []);

function alter(moves, line, change) {
  if (line.length === 0) return change(moves);
  return moves.map((move) => (move.uci === line[0] ? { ...move, moves: alter(move.moves, line.slice(1), change) } : move));
}

/** Adds the last move of a line, marked if the player makes it, unless it is there. `san`: the name of this move. */
export function addMove(repertoire, line, san) {
  const mark = isOwn(repertoire, line.length - 1);
  return { ...repertoire, moves: alter(repertoire.moves, line.slice(0, -1), (moves) => merge(moves, [{ uci: line.at(-1), san, mark, moves: [] }])) };
}

/** Marks the last move of a line, or removes its mark. */
export function setMark(repertoire, line, mark) {
  return { ...repertoire, moves: alter(repertoire.moves, line.slice(0, -1), (moves) => moves.map((move) => (move.uci === line.at(-1) ? { ...move, mark } : move))) };
}

/** Removes the last move of a line, and all moves after it. */
export const removeMove = (repertoire, line) => ({ ...repertoire, moves: alter(repertoire.moves, line.slice(0, -1), (moves) => moves.filter((move) => move.uci !== line.at(-1))) });

/** Returns the positions of the repertoire by their keys, in the order of the tree: {key, fen, own, line, sans, moves}.
 * `moves` maps the marked moves of the player, or the replies, to {san, key}. A position that several lines reach has the moves of
 * all of them, and the first line. */
export function positions(repertoire) {
  const found = new Map();
  function visit(fen, moves, line, sans) {
    const own = isOwn(repertoire, line.length);
    const name = key(fen);
    if (!found.has(name)) found.set(name, { key: name, fen, own, line, sans, moves: new Map() });
    for (const move of moves.filter((one) => !own || one.mark)) {
      const next = playOne(fen, move.uci);
      if (!next) continue;
      found.get(name).moves.set(move.uci, { san: next.san, key: key(next.fen) });
      visit(next.fen, move.moves, [...line, move.uci], [...sans, next.san]);
    }
  }
  visit(repertoire.fen, repertoire.moves, [], []);
  return found;
}

/** Returns the positions in which the player is asked for a move, those near the start first. */
export const cards = (found) => [...found.values()].filter((one) => one.own && one.moves.size > 0).sort((a, b) => a.line.length - b.line.length);
