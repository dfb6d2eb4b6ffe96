/* SPDX-License-Identifier: MIT */
// The user's variations of a game of an archive. They are an analysis that was made from the game, in the browser's storage,
// and are shown after the variations of the game. A place is a path: the moves that lead there, in UCI.

import { gameText } from '../base/api.js';
import { addLine, entryOf, entryOfGame } from '../study/entries.js';
import { existing, nodesOn, removeLine } from '../study/move_tree.js';
import { commentOf } from '../study/pgn.js';
import { openStudy } from '../study/study.js';

/* Returns the places of a game's moves by path: {ply, variation}. */
function archivePlaces(game) {
  const places = new Map([['', { ply: 0, variation: null }]]);
  const paths = [];
  const enter = (line, first, before, variation) => line.uci.forEach((uci, i) => {
    const path = [...before, ...line.uci.slice(0, i + 1)].join();
    if (!places.has(path)) places.set(path, { ply: first + i, variation });
  });
  enter(game, 1, [], null);
  game.variations.forEach((one, i) => {
    const within = one.within ?? null;
    paths[i] = (within === null ? game.uci : [...paths[within], ...game.variations[within].uci]).slice(0, one.ply - 1);
    enter(one, one.ply, paths[i], i);
  });
  return places;
}

/** Returns the variations of a tree that a game does not have, in the form of the game's variations, and the places of all
 * moves by path. */
export function ownLines(game, tree) {
  const places = archivePlaces(game);
  const lines = [];

  function line(first, ply, within, before) {
    const one = { ply, within, own: true, san: [], uci: [], comments: [], nags: [] };
    const number = game.variations.length + lines.push(one) - 1;
    let [node, above, path] = [first, null, before];
    for (let at = ply; node; at += 1) {
      one.san.push(node.san);
      one.uci.push(node.uci);
      if (node.before) one.comments.push({ ply: at - 1, text: node.before });
      if (commentOf(node)) one.comments.push({ ply: at, text: commentOf(node) });
      one.nags.push(...node.nags.map((nag) => ({ ply: at, nag })));
      const here = path;
      path = [...path, node.uci];
      places.set(path.join(), { ply: at, variation: number });
      for (const other of above?.children.slice(1) ?? []) line(other, at, number, here);
      [above, node] = [node, node.children[0]];
    }
  }

  function walk(node, path) {
    const { ply, variation } = places.get(path.join());
    for (const one of node.children) {
      const next = [...path, one.uci];
      if (places.has(next.join())) walk(one, next);
      else line(one, ply + 1, variation, path);
    }
  }

  if (tree) walk(tree, []);
  return { lines, places };
}

/** Creates the variations of a game. answer: the game of the server; id and archive: as in its address. changed() is called
 * after another tab has changed them. The members: `game`, with all variations; placeOf(path), {ply, variation} or null;
 * `study`, or null before the user's first move; play(path, ucis), which returns the path to the last move, or null where the
 * analysis has no such place (castling in Chess960); remove(path) and travel('undo' or 'redo', path), which return a path. */
export function createOwnLines(answer, { id, archive, changed }) {
  const base = { ...answer, variations: answer.variations ?? [] };
  let [study, shown, game, places] = [null, null, base, new Map()];

  function refresh() {
    if (shown && study?.state.tree === shown) return;
    shown = study?.state.tree ?? null;
    const own = ownLines(base, study && !study.deleted ? shown : null);
    game = own.lines.length > 0 ? { ...base, variations: [...base.variations, ...own.lines] } : base;
    places = own.places;
  }

  function open(entry) {
    study = openStudy(entry.id, () => { shown = null; refresh(); changed(); });
    refresh();
  }

  const known = entryOfGame(base);
  if (known) open(known);
  refresh();

  return {
    get game() { return game; },
    get study() { return study; },
    get number() { return game.variations.length - base.variations.length; },
    placeOf: (path) => places.get(path.join()) ?? null,
    existing: (path) => { let to = path; while (!places.has(to.join())) to = to.slice(0, -1); return to; },
    async play(path, ucis, signal) {
      if (!study) open(entryOf(await gameText(id, { archive }, signal)));
      if (nodesOn(study.state.tree, path).length <= path.length) return null;
      const to = addLine(study, path, ucis);
      refresh();
      return to;
    },
    remove(path) {
      study.change({ tree: removeLine(study.state.tree, path) }, path);
      refresh();
      return path.slice(0, -1);
    },
    travel(step, path) {
      const to = study?.[step](path);
      if (!to) return null;
      refresh();
      return existing(study.state.tree, to);
    },
    close() { study?.close(); },
  };
}
