/* SPDX-License-Identifier: MIT */
// Undo and redo. States are values that are never changed. Only the step itself is undone: changes of other tabs stay.

import { mergeStates } from './merge.js';

const LIMIT = 500;

/* Returns `now` with the change from `from` to `to`. */
const applied = (from, to, now) => (now === from ? to : mergeStates(from, to, now));

/** Returns {push(before, after, path, kind), undo(now, path), redo(now, path), canUndo(), canRedo()}. push() stores a change;
 * `path` is the place that was shown before it. Successive changes of the same `kind` are undone together, unless it is ''.
 * undo() and redo() are called with the present state and place, and return {state, path} to show, or null. */
export function createHistory() {
  const past = [];
  const future = [];
  let last = '';
  const step = (from, to, now, path) => {
    last = '';
    const one = from.pop();
    if (!one) return null;
    const next = applied(one.after, one.before, now);
    to.push({ before: now, after: next, path });
    return { state: next, path: one.path };
  };
  return {
    push(before, after, path, kind = '') {
      if (kind !== '' && kind === last && past.at(-1).after === before) past.at(-1).after = after;
      else past.push({ before, after, path });
      if (past.length > LIMIT) past.shift();
      future.length = 0;
      last = kind;
    },
    undo: (now, path) => step(past, future, now, path),
    redo: (now, path) => step(future, past, now, path),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
  };
}
