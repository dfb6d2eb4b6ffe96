/* SPDX-License-Identifier: MIT */
// An analysis that is open. Every change is stored at once, and merged with the changes of other tabs: those that were stored
// before it, and those that arrive later.
//
// A stored entry has `seen`, which counts the changes of each tab that it contains. If `seen` of one state is nowhere less
// than that of another, the state contains all changes of the other. Otherwise the states are merged; their base is the last
// state of this tab that the other contains. `times`: when a comment or the order of moves was changed last, by path; `replaced`: {path, text}, comments
// that were replaced because another tab changed them later.

import { fromPgn, toPgn } from './pgn.js';
import { createHistory } from './history.js';
import { mergeLists, mergeStates } from './merge.js';
import { shared } from './move_tree.js';
import { titleOf } from './titles.js';
import { published, store, storedAs, watchStore } from './store.js';

const TABS = 30;     // tabs that are counted
const TIMES = 100;   // comments whose times are kept
const PAUSE = 100;   // milliseconds
const STATES = 1000; // states that are kept as a base
const TAB = Date.now().toString(36) + Math.floor(Math.random() * 1e9).toString(36);

const last = (object, n) => Object.fromEntries(Object.entries(object).sort(([, a], [, b]) => b - a).slice(0, n));
const covers = (seen, other) => Object.entries(other).every(([tab, n]) => (seen[tab] ?? 0) >= n);
const most = (one, other) => Object.fromEntries(Object.keys({ ...one, ...other }).map((key) => [key, Math.max(one[key] ?? 0, other[key] ?? 0)]));
const laterThan = (times) => Math.max(Date.now(), 1 + Math.max(0, ...Object.values(times)));
const byAge = (seen) => Object.fromEntries(Object.entries(seen).sort(([a], [b]) => (a < b ? 1 : -1)).slice(0, TABS));

/* Removes texts that are the beginning of another: while a comment is typed, only the longest is kept. */
const longest = (list) => list.filter((one, i) => !list.some((other, j) => one.path === other.path && other.text.startsWith(one.text) && (other.text !== one.text || j < i)));

const sameText = (one) => `${one.path} ${one.text}`;

/* Merges two states that each lack changes of the other. Both tabs come to the same state. */
function mergeCopies(base, ours, theirs) {
  const swap = theirs.changed < ours.changed || (theirs.changed === ours.changed && JSON.stringify(theirs.seen) < JSON.stringify(ours.seen));
  const [early, late] = swap ? [theirs, ours] : [ours, theirs];
  const replaced = mergeLists(base?.replaced ?? [], early.replaced, late.replaced, () => false, sameText);
  const merged = mergeStates(base?.state ?? null, early.state, late.state, {
    order: (what, path) => (late.times[`${what} ${path}`] ?? 0) - (early.times[`${what} ${path}`] ?? 0),
    lost: (path, text) => { replaced.push({ path: path.join(), text }); },
  });
  return { state: merged, replaced: longest(replaced), times: most(ours.times, theirs.times), changed: late.changed, deleted: early.deleted && late.deleted, seen: most(ours.seen, theirs.seen) };
}

const counted = (copy) => ({ ...copy, seen: { ...copy.seen, [TAB]: (copy.seen[TAB] ?? 0) + 1 } });
const contents = ({ state, replaced, deleted }) => JSON.stringify([toPgn(state), replaced, deleted > 0]);

/* Reads a stored entry; null if there is none. */
function readCopy(entry, old = null) {
  const game = entry && fromPgn(entry.pgn, old);
  if (!game) return null;
  const state = { tree: shared(old, game.tree), tags: game.tags, result: game.result };
  return { state, seen: entry.seen ?? {}, times: entry.times ?? {}, replaced: entry.replaced ?? [], changed: entry.changed ?? 0, deleted: entry.deleted ?? 0 };
}

/** Opens an analysis; returns null if it is not stored. changed() is called after another tab has changed it. The study has
 * the members `entry`, `state` {tree, tags, result}, `replaced`, and `kept`: whether the browser has stored the last change. */
export function openStudy(id, changed = () => {}) {
  let entry = storedAs(id);
  let copy = readCopy(entry);
  if (!copy) return null;
  const history = createHistory();
  const states = [copy];
  let kept = true;
  let answer = 0; // a timer

  function use(next) {
    copy = next;
    states.push(copy);
    if (states.length > STATES) states.shift();
  }

  function save() {
    const { state, replaced, times, seen } = copy;
    entry = { ...entry, pgn: toPgn(state), title: titleOf(state), folder: state.tags.StudyName ?? '', edited: true, changed: copy.changed, deleted: copy.deleted,
      seen: byAge(seen), times: last(times, TIMES), replaced };
    kept = store(entry);
  }

  /* Includes what another tab has stored. Returns whether there was something. */
  function receive() {
    const found = published(id);
    if (!found || covers(copy.seen, found.seen ?? {})) return false;
    const theirs = readCopy(found, copy.state.tree);
    if (!theirs) return false;
    entry = found;
    if (covers(theirs.seen, copy.seen)) {
      use(theirs);
      return true;
    }
    const merged = mergeCopies(states.findLast((one) => covers(theirs.seen, one.seen)) ?? null, copy, theirs);
    use(merged);
    if (contents(copy) !== contents(theirs)) answer ||= setTimeout(answerNow, PAUSE * (1 + Math.random()));
    return true;
  }

  /* Stores the merged state, unless another tab has done so. Tabs wait for different times: they would answer each other
   * without end. */
  function answerNow() {
    clearTimeout(answer);
    answer = 0;
    receive();
    const found = readCopy(published(id), copy.state.tree);
    if (found && contents(found) === contents(copy)) return;
    use(counted(copy));
    save();
  }

  /* Stores a change of this tab. The base of merges is the state before it, so others' changes are included afterwards. */
  function commit(fields) {
    use(counted({ ...copy, deleted: 0, ...fields, changed: Date.now() }));
    receive();
    save();
  }

  function travel(step, path) {
    receive();
    const found = step(copy.state, path);
    if (found) commit({ state: found.state });
    return found && found.path;
  }

  const pull = () => { if (receive()) changed(); };
  const stop = [watchStore((other) => { if (other === id || other === null) pull(); })];
  const seenAgain = () => { if (!document.hidden) pull(); };
  document.addEventListener('visibilitychange', seenAgain);
  const finish = () => { if (answer) answerNow(); };
  window.addEventListener('pagehide', finish);

  return {
    get entry() { return entry; },
    get state() { return copy.state; },
    get replaced() { return copy.replaced; },
    get kept() { return kept; },
    get deleted() { return copy.deleted > 0; },
    /** Changes some of tree, tags and result. `path` is the place that is shown. Changes of the same `kind` are undone
     * together. `timed` is 'comment PATH' or 'order PATH' if the comment at a path, or the order of the moves after it, is
     * changed. */
    change(fields, path = [], { kind = '', timed = null } = {}) {
      const before = copy.state;
      const after = { ...before, ...fields };
      history.push(before, after, path, kind);
      commit({ state: after, ...(timed === null ? {} : { times: { ...copy.times, [timed]: laterThan(copy.times) } }) });
    },
    undo: (path) => travel(history.undo, path),
    redo: (path) => travel(history.redo, path),
    canUndo: history.canUndo,
    canRedo: history.canRedo,
    /** Removes a comment from the list of replaced comments. */
    dismiss: (one) => commit({ replaced: copy.replaced.filter((other) => sameText(other) !== sameText(one)) }),
    remove: () => commit({ deleted: Date.now() }),
    restore: () => commit({ deleted: 0 }),
    close() {
      finish();
      window.removeEventListener('pagehide', finish);
      stop.forEach((end) => end());
      document.removeEventListener('visibilitychange', seenAgain);
    },
  };
}
