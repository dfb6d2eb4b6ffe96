/* SPDX-License-Identifier: MIT */
// Makes analyses: new ones, from a PGN with one game or several, from a line, from a game of an archive.

import { INITIAL, play, playOne } from '../base/rules.js';
import { addMove, nodesOn, onward, plant } from './move_tree.js';
import { fromPgn, splitGames, tagsOf, toPgn } from './pgn.js';
import { forget, forgetOld, newId, store, stored, storedAs } from './store.js';
import { openStudy } from './study.js';
import { titleOf } from './titles.js';

const IDLE = 10; // analyses without edits that are kept

/* Removes analyses without edits if they have no moves, or are not among the last ten. */
function tidy() {
  forgetOld();
  const idle = stored().filter((entry) => !entry.edited);
  [...idle.filter((entry) => !entry.source), ...idle.filter((entry) => entry.source).slice(IDLE - 1)].forEach((entry) => forget(entry.id));
}

function add(game, source, edited) {
  const entry = { id: newId(), pgn: toPgn(game), title: titleOf(game), folder: game.tags.StudyName ?? '', start: game.tree.fen, source, edited, changed: Date.now() };
  return { ...entry, kept: store(entry) };
}

/** Stores a new analysis. `source` is its PGN, or ''. `edited`: it is kept like one that the user has changed. */
export function enter(game, source, edited = false) {
  tidy();
  return add(game, source, edited);
}

/** Returns an analysis without moves. */
export const blank = (fen = INITIAL) => ({ tags: { Event: 'Analysis', Date: new Date().toISOString().slice(0, 10).replace(/-/g, '.') }, tree: plant(fen), result: '*' });

function known(list, text, game) {
  const pgn = toPgn(game);
  return list.find((entry) => entry.source === text || entry.pgn === pgn);
}

/** Returns the entry made from a PGN, with the words that are not legal moves as `problems`; null if the text is no PGN. */
export function entryOf(text, edited = false) {
  const game = fromPgn(text);
  if (!game) return null;
  const entry = known(stored(), text, game) ?? enter(game, text, edited);
  return { ...entry, problems: game.problems };
}

/* Returns the folder for games that belong together: their event, or the time. */
function folderFor(games) {
  const events = new Set(games.map((game) => game.tags.Event));
  const [event] = events;
  if (events.size === 1 && event && event !== '?' && event !== 'Analysis') return event;
  return `Opened ${new Date().toISOString().slice(0, 16).replace('T', ' ')}`;
}

/* An empty StudyName means no folder. Games without this tag come into `folder`. */
function placed(game, folder) {
  const { StudyName = folder, ...tags } = game.tags;
  return { ...game, tags: StudyName ? { ...tags, StudyName } : tags };
}

/** Stores all games of a PGN. Games of files that name no folders come into one folder. Returns {entries, folder, problems,
 * unkept}: `unkept` is the number of games that the browser does not store. */
export function enterAll(text, name = '') {
  const games = splitGames(text).map((one) => ({ ...fromPgn(one), text: one })).filter((game) => game.tree);
  const named = games.map((game) => game.tags.StudyName).filter((one) => one !== undefined);
  const folder = named[0] ?? (name || folderFor(games));
  tidy();
  const list = stored();
  const entries = games.map((game) => {
    const one = placed(game, folder);
    return known(list, game.text, one) ?? add(one, game.text, true);
  });
  return { entries, folder, problems: games.flatMap((game) => game.problems), unkept: entries.filter((entry) => entry.kept === false).length };
}

/* An empty StudyName is written too: without it, the game would come into a folder when the file is opened. */
function withFolder(entry) {
  const game = fromPgn(entry.pgn);
  return toPgn({ ...game, tags: { ...game.tags, StudyName: game.tags.StudyName ?? '' } }).trim();
}

/** Returns analyses as one PGN file. enterAll() reads the file as the same analyses. */
export const exported = (entries) => `${entries.map(withFolder).join('\n\n')}\n`;

/* Changes a stored analysis that is not open here. */
function changeStored(id, act) {
  const study = openStudy(id);
  if (!study) return;
  act(study);
  study.close();
}

/** Deletes an analysis; it can be restored for a month. */
export const removeEntry = (id) => (fromPgn(storedAs(id)?.pgn ?? '') ? changeStored(id, (study) => study.remove()) : forget(id));
export const restoreEntry = (id) => changeStored(id, (study) => study.restore());

/** Renames a folder; with an empty name, its analyses have no folder afterwards. */
export function renameFolder(folder, name) {
  for (const entry of stored().filter((one) => (one.folder ?? '') === folder)) {
    changeStored(entry.id, (study) => {
      const { StudyName, ...tags } = study.state.tags;
      study.change({ tags: name ? { ...tags, StudyName: name } : tags });
    });
  }
}

/** Adds a line after a path of an open study, as one change. Returns the path to its last move that is legal. */
export function addLine(study, path, ucis, place = path) {
  let { tree } = study.state;
  let to = path;
  for (const uci of ucis) {
    const next = playOne(nodesOn(tree, to).at(-1).fen, uci);
    if (!next) break;
    tree = addMove(tree, to, next);
    to = [...to, next.uci];
  }
  if (nodesOn(study.state.tree, to).length <= to.length) study.change({ tree }, place);
  return to;
}

/** Adds a line from the explorer to the last analysis that starts in the same position, or to a new one. Returns the entry
 * and the path to the end of the line. */
export function withLine(fen, line) {
  const start = fen || INITIAL;
  const own = stored().filter((entry) => !entry.source).find((entry) => entry.start === start) ?? enter(blank(start), '');
  const study = openStudy(own.id);
  const at = addLine(study, [], play(start, line).moves.map((move) => move.uci));
  study.close();
  return { entry: storedAs(own.id), at };
}

const NAMED = ['Event', 'Site', 'Date', 'Round', 'White', 'Black'];
const given = (value) => (value && !/^[?.]+$/.test(value) ? value : '');

/** Returns the analysis of a game of an archive: one made from a game with the same tags and moves. Returns null if there is
 * none. game: {tags, uci}. */
export function entryOfGame(game) {
  const fits = (tags) => NAMED.every((tag) => given(tags[tag]) === given(game.tags[tag]));
  return stored().find((entry) => {
    if (!entry.source || !fits(tagsOf(entry.source))) return false;
    const { tree, problems } = fromPgn(entry.source);
    const line = onward(tree, []);
    return line.every((uci, i) => uci === game.uci[i]) && (line.length === game.uci.length || problems.length > 0);
  }) ?? null;
}
