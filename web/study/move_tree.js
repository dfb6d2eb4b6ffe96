/* SPDX-License-Identifier: MIT */
// The tree of moves of an analysis. Trees are never changed: each function returns a new tree, which shares unchanged
// parts with the old one. A place in the tree is a path: the moves that lead there, in UCI.
//
// A node is {uci, san, fen, nags, before, comment, commands, marks, children}: the move and the position after it; numbers
// of NAGs; comments before and after the move; other commands of the comment, such as [%clk 0:01:00]; arrows and circles,
// such as "Ge2e4" and "Re4". The first child is the main line. The root has no move.

/** Returns a tree without moves. */
export const plant = (fen) => ({ uci: null, san: null, fen, nags: [], before: '', comment: '', commands: '', marks: [], children: [] });

/** NAGs of which a move has at most one: signs of the move, and of the position. */
export const GROUPS = [[1, 2, 3, 4, 5, 6], [10, 13, 14, 15, 16, 17, 18, 19]];

/** Returns the child with a move, or undefined. */
export const childOf = (node, uci) => node.children.find((one) => one.uci === uci);

const FIELDS = ['before', 'comment', 'commands', 'nags', 'marks'];

/** Returns whether something was added to a node, or to the moves after it, or changed there. Moves that were removed do
 * not count. */
export function isExtended(before, after) {
  if (before === after) return false;
  if (FIELDS.some((name) => String(before[name]) !== String(after[name]))) return true;
  return after.children.some((one) => { const old = childOf(before, one.uci); return !old || isExtended(old, one); });
}

/** Returns the new tree with the nodes of the old one where both are equal, so that equal parts are recognized quickly. */
export function shared(old, fresh) {
  if (!old || old === fresh) return fresh;
  const children = fresh.children.map((one) => shared(childOf(old, one.uci), one));
  const equal = old.fen === fresh.fen && FIELDS.every((name) => String(old[name]) === String(fresh[name]))
    && children.length === old.children.length && children.every((one, i) => one === old.children[i]);
  return equal ? old : { ...fresh, children };
}

/** Returns the nodes on a path, as far as it exists. The first is the root. */
export function nodesOn(tree, path) {
  const nodes = [tree];
  for (const uci of path) {
    const next = childOf(nodes.at(-1), uci);
    if (!next) break;
    nodes.push(next);
  }
  return nodes;
}

/** Returns the part of a path that exists. */
export const existing = (tree, path) => path.slice(0, nodesOn(tree, path).length - 1);

/** Returns the path that continues a path with the main line after it. */
export function onward(tree, path) {
  const line = [...path];
  for (let node = nodesOn(tree, path).at(-1).children[0]; node; [node] = node.children) line.push(node.uci);
  return line;
}

/** Returns the paths to the moves of one place: to the last move of the path and its alternatives. */
export function alternatives(tree, path) {
  if (path.length === 0) return [];
  const before = path.slice(0, -1);
  return nodesOn(tree, before).at(-1).children.map((one) => [...before, one.uci]);
}

/** Replaces the node at a path by change(node). */
export function alter(tree, path, change) {
  if (path.length === 0) return change(tree);
  const [first, ...rest] = path;
  return { ...tree, children: tree.children.map((one) => (one.uci === first ? alter(one, rest, change) : one)) };
}

/** Adds a move {uci, san, fen} after a path, unless it is there. */
export function addMove(tree, path, move) {
  return alter(tree, path, (node) => (childOf(node, move.uci) ? node : { ...node, children: [...node.children, { ...plant(move.fen), uci: move.uci, san: move.san }] }));
}

/** Removes the last move of a path, and all moves after it. */
export function removeLine(tree, path) {
  return alter(tree, path.slice(0, -1), (node) => ({ ...node, children: node.children.filter((one) => one.uci !== path.at(-1)) }));
}

/** Returns the number of moves of a path up to the last move that is a variation; 0: all moves are main lines. */
export function branch(tree, path) {
  const nodes = nodesOn(tree, path);
  return path.reduce((last, uci, i) => (nodes[i].children[0].uci === uci ? last : i + 1), 0);
}

/** Makes the variation that contains a path the main line of the place where it begins. */
export function promote(tree, path) {
  const plies = branch(tree, path);
  if (plies === 0) return tree;
  const uci = path[plies - 1];
  return alter(tree, path.slice(0, plies - 1), (node) => ({ ...node, children: [childOf(node, uci), ...node.children.filter((one) => one.uci !== uci)] }));
}

/** Converts a tree to the form of a game of the server, for notation(): the main line and the numbered variations.
 * paths(ply, variation) returns the path of a move. */
export function asGame(tree, result) {
  const lines = [];
  function walk(parent, index, first, within, path) {
    const line = { ply: first, within, san: [], uci: [], comments: [], nags: [], start: path };
    const number = lines.push(line) - 2; // the main line is first and has no number
    let [node, above, here] = [parent.children[index], parent, path];
    if (node?.before) line.comments.push({ ply: first - 1, text: node.before });
    for (let ply = first; node; ply += 1) {
      line.san.push(node.san);
      line.uci.push(node.uci);
      if (node.comment) line.comments.push({ ply, text: node.comment });
      line.nags.push(...node.nags.map((nag) => ({ ply, nag })));
      if (ply > first || index === 0) for (let i = 1; i < above.children.length; i += 1) walk(above, i, ply, number < 0 ? null : number, here);
      here = [...here, node.uci];
      [above, node] = [node, node.children[0]];
    }
  }
  walk(tree, 0, 1, null, []);
  const [main, ...variations] = lines;
  if (tree.comment) main.comments.unshift({ ply: 0, text: tree.comment });
  const paths = (ply, variation) => {
    const line = variation === null ? main : variations[variation];
    return [...line.start, ...line.uci.slice(0, ply - line.ply + 1)];
  };
  return { game: { ...main, variations, result }, paths };
}
