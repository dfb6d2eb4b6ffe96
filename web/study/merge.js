/* SPDX-License-Identifier: MIT */
// Merges the changes of two tabs to one analysis. `base` is a state that both tabs had, or null; `early` and `late` are the
// states of the tabs. Everything that one tab added is kept. A line that one tab deleted is kept if the other tab has added
// or changed something in it. If both changed one comment, the later text is used, and lost(path, text) is called with the
// other text.

import { childOf, GROUPS, isExtended } from './move_tree.js';

/* Returns the text that was changed later. If that is unknown: the text that differs from the base. */
function textOf(base, early, late, order, lost = () => {}) {
  if (early === late) return early;
  const useLate = order !== 0 ? order > 0 : late !== base && late !== '';
  const [used, other] = useLate ? [late, early] : [early, late];
  if (other !== base && other !== '' && !used.includes(other)) lost(other);
  return used;
}

/** Merges lists of different items. Of two items that exclude each other (rivals), the later is kept. */
export function mergeLists(base, early, late, rivals = () => false, name = String) {
  const has = (list, one) => list.some((other) => name(other) === name(one));
  const kept = early.filter((one) => has(late, one) || !has(base, one));
  const added = late.filter((one) => !has(early, one) && !has(base, one));
  return [...kept.filter((one) => !added.some((other) => rivals(one, other))), ...added];
}

const sameSquares = (one, other) => one.slice(1) === other.slice(1);
const sameGroup = (one, other) => GROUPS.some((group) => group.includes(one) && group.includes(other));

/* Returns the moves of a place, in the order of the tab that changed the order later. */
function orderOf(early, late, order) {
  const [first, second] = [early, late].map((node) => node.children.map((one) => one.uci));
  const [lead, other] = order < 0 ? [first, second] : [second, first];
  return [...lead, ...other.filter((uci) => !lead.includes(uci))];
}

function children(base, early, late, path, context) {
  return orderOf(early, late, context.order('order', path)).flatMap((uci) => {
    const [old, one, other] = [base, early, late].map((node) => node && childOf(node, uci));
    if (one && other) return [nodes(old, one, other, [...path, uci], context)];
    const there = one ?? other;
    return old && !isExtended(old, there) ? [] : [there];
  });
}

function nodes(base, early, late, path, context) {
  if (early === late) return early;
  const field = (name, order = 0, lost = undefined) => textOf(base?.[name] ?? '', early[name], late[name], order, lost);
  return { ...early, comment: field('comment', context.order('comment', path), (text) => context.lost(path, text)), before: field('before'), commands: field('commands'),
    nags: mergeLists(base?.nags ?? [], early.nags, late.nags, sameGroup).sort((a, b) => a - b),
    marks: mergeLists(base?.marks ?? [], early.marks, late.marks, sameSquares), children: children(base, early, late, path, context) };
}

function tagsOf(base, early, late) {
  const names = mergeLists(Object.keys(base), Object.keys(early), Object.keys(late));
  const value = (name) => (early[name] === undefined || (late[name] !== undefined && late[name] !== base[name]) ? late[name] : early[name]);
  return Object.fromEntries(names.map((name) => [name, value(name)]));
}

/** Merges states {tree, tags, result}. context: order(what, path) is positive if `late` changed something later than `early`,
 * negative if `early` did, and 0 if this is unknown; `what` is 'comment' or 'order' (of the moves after the path).
 * lost(path, text). */
export function mergeStates(base, early, late, { order = () => 0, lost = () => {} } = {}) {
  const fits = early.tree.fen === late.tree.fen;
  const old = base?.tree.fen === early.tree.fen ? base.tree : null;
  return { tree: fits ? nodes(old, early.tree, late.tree, [], { order, lost }) : late.tree,
    tags: tagsOf(base?.tags ?? {}, early.tags, late.tags), result: late.result === base?.result ? early.result : late.result };
}
