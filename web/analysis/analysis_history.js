/* SPDX-License-Identifier: MIT */
// Undo and redo. States are values that are never changed.

const LIMIT = 500;

/** Returns {push(state, kind), undo(state), redo(state), canUndo(), canRedo()}. push() stores the state before a change;
 * successive changes of the same `kind` are undone together, unless it is ''. undo() and redo() are called with the
 * present state and return another, or null. */
export function createHistory() {
  const past = [];
  const future = [];
  let last = '';
  const step = (from, to, state) => {
    last = '';
    if (from.length === 0) return null;
    to.push(state);
    return from.pop();
  };
  return {
    push(state, kind = '') {
      if (kind === '' || kind !== last) past.push(state);
      if (past.length > LIMIT) past.shift();
      future.length = 0;
      last = kind;
    },
    undo: (state) => step(past, future, state),
    redo: (state) => step(future, past, state),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
  };
}
