/* SPDX-License-Identifier: MIT */
// PGN of analyses: with variations, comments, NAGs, and arrows and circles as [%cal ...] and [%csl ...].

import { INITIAL, isPlacement, playOne, shiftOf } from '../base/rules.js';
import { plant } from './move_tree.js';
import { isMark } from '../board/marks.js';

const ROSTER = ['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result'];
const RESULT = /^(1-0|0-1|1\/2-1\/2|\*)$/;
const WIDTH = 79;
const SIGNS = { '!': 1, '?': 2, '!!': 3, '??': 4, '!?': 5, '?!': 6, '□': 7, '=': 10, '∞': 13, '⩲': 14, '+=': 14, '⩱': 15, '=+': 15, '±': 16, '+/-': 16,
  '∓': 17, '-/+': 17, '+-': 18, '+−': 18, '-+': 19, '−+': 19, N: 146 };

/** Removes braces, which end comments, and joins lines. */
export const plainComment = (text) => text.replace(/\{/g, '(').replace(/\}/g, ')').replace(/\s+/g, ' ').trim();

// ---- writing ----

/** Returns the comment of a node with the commands for its arrows and circles. */
export function commentOf(node) {
  const circles = node.marks.filter((mark) => mark.length === 3).join(',');
  const arrows = node.marks.filter((mark) => mark.length === 5).join(',');
  const marks = (circles && `[%csl ${circles}]`) + (arrows && `[%cal ${arrows}]`); // as Lichess writes them
  return [marks, node.commands, node.comment].filter(Boolean).join(' ');
}

const braced = (text) => (text ? [`{ ${text} }`] : []);
const numberOf = (ply) => `${Math.ceil(ply / 2)}${ply % 2 ? '.' : '...'}`;

/** Returns the text of a line that begins with child `index` of `parent`. Plies count from 1, White's first. */
function lineText(parent, index, first) {
  const words = [];
  let [node, above, numbered] = [parent.children[index], parent, true];
  for (let ply = first; node; ply += 1) {
    words.push(...braced(node.before));
    if (numbered || ply % 2 || node.before) words.push(numberOf(ply));
    words.push(node.san, ...node.nags.map((nag) => `$${nag}`), ...braced(commentOf(node)));
    numbered = commentOf(node) !== '';
    const others = ply > first || index === 0 ? above.children.length : 0;
    for (let i = 1; i < others; i += 1) words.push(`(${lineText(above, i, ply)})`);
    numbered ||= others > 1;
    [above, node] = [node, node.children[0]];
  }
  return words.join(' ');
}

// Breaks lines at blanks, but not after the number of a move or the name of a command. A line that begins with % would be skipped by readers.
function wrap(text) {
  const [first, ...words] = text.split(/(?<![.{]|\[%\w+) (?!%)/);
  const lines = [first];
  for (const word of words) {
    if (lines.at(-1).length + word.length < WIDTH) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines.join('\n');
}

const tagLine = ([tag, value]) => `[${tag} "${value.replace(/[\\"]/g, '\\$&').replace(/\s+/g, ' ')}"]\n`;

/** Writes an analysis {tags, tree, result} as PGN. */
export function toPgn({ tags, tree, result }) {
  const all = Object.fromEntries(ROSTER.map((tag) => [tag, tags[tag] ?? (tag === 'Date' ? '????.??.??' : '?')]));
  Object.assign(all, tags, { Result: result });
  delete all.SetUp;
  delete all.FEN;
  if (tree.fen !== INITIAL) Object.assign(all, { SetUp: '1', FEN: tree.fen });
  const moves = [...braced(commentOf(tree)), lineText(tree, 0, 1 + shiftOf(tree.fen)), result].filter(Boolean).join(' ');
  return `${Object.entries(all).map(tagLine).join('')}\n${wrap(moves)}\n`;
}

// ---- reading ----

const TOKEN = new RegExp([
  '(?<space>\\s+)', '(?<note>;[^\\n]*)', '\\{(?<comment>[^}]*)\\}?', '\\[\\s*(?<tag>\\w+)\\s*"(?<value>(?:\\\\.|[^"\\\\])*)"\\s*\\]?',
  '\\$(?<nag>\\d+)', '(?<bracket>[()])', '(?<result>1-0|0-1|1/2-1/2|\\*)', '(?<castling>[0O]-[0O](?:-[0O])?[+#]?)', '(?<number>\\d+\\s*\\.+|\\d+(?![\\w/-]))', '(?<dots>\\.+)',
  '(?<sign>[!?]+)', '(?<word>[^\\s(){};$!?]+)', '(?<other>.)'].join('|'), 'suy');

function* tokensOf(text) {
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    const groups = Object.assign(found.groups, { start: found.index, end: TOKEN.lastIndex });
    if (groups.space === undefined) yield groups;
  }
}

/** Splits a comment into text, arrows and circles, and other commands. */
function readComment(text) {
  const marks = [];
  const commands = [];
  const rest = text.replace(/\[%(\w+)\s+([^\]]*)\]/g, (whole, name, value) => {
    if (name === 'cal' || name === 'csl') marks.push(...value.split(',').map((one) => one.trim()).filter(isMark));
    else commands.push(whole.replace(/\s+/g, ' '));
    return ' ';
  });
  return { marks, commands: commands.join(' '), comment: plainComment(rest) };
}

const joined = (...texts) => texts.filter(Boolean).join(' ');

function addComment(level, text) {
  const read = readComment(text);
  if (level.fresh) {
    level.before = joined(level.before, read.comment);
    return;
  }
  const node = level.at;
  node.comment = joined(node.comment, read.comment);
  node.commands = joined(node.commands, read.commands);
  node.marks.push(...read.marks.filter((mark) => !node.marks.includes(mark)));
}

const addNag = (node, nag) => { if (nag > 0 && nag < 256 && !node.nags.includes(nag)) node.nags.push(nag); };

/** Plays a word of the movetext at a level. Returns false if it is not a legal move. */
function addWord(level, word) {
  if (SIGNS[word] && !level.fresh) {
    addNag(level.at, SIGNS[word]);
    return true;
  }
  const known = level.known?.children.find((one) => one.san === word);
  const move = known ?? playOne(level.at.fen, word);
  if (!move) return false;
  const there = level.at.children.find((one) => one.uci === move.uci);
  const node = there ?? { ...plant(move.fen), uci: move.uci, san: move.san };
  if (!there) level.at.children.push(node);
  node.before = joined(node.before, level.before);
  Object.assign(level, { above: level.at, at: node, knownAbove: level.known, known, fresh: false, before: '' });
  return true;
}

// A level is a line being read: the last move and the one before it. `fresh`: a variation without a move so far; `lost`:
// the rest is skipped. `known` and `knownAbove` are the same nodes of a tree that was read before, if it has them.
function readMoves(tokens, tree, problems, known) {
  const levels = [{ at: tree, above: null, known, knownAbove: null, fresh: false, lost: false, before: '' }];
  for (const token of tokens) {
    const level = levels.at(-1);
    const word = token.word ?? token.castling;
    if (token.bracket === '(') levels.push({ at: level.above, above: null, known: level.knownAbove, knownAbove: null, fresh: true, lost: level.lost || !level.above, before: '' });
    else if (token.bracket === ')') { if (levels.length > 1) levels.pop(); }
    else if (token.result) { if (levels.length === 1) return token.result; }
    else if (token.tag && levels.length === 1 && level.above) return null; // the next game
    else if (level.lost || token.tag) continue;
    else if (token.comment !== undefined) addComment(level, token.comment);
    else if (token.note) addComment(level, token.note.slice(1));
    else if (token.nag && !level.fresh) addNag(level.at, Number(token.nag));
    else if (token.sign && SIGNS[token.sign] && !level.fresh) addNag(level.at, SIGNS[token.sign]);
    else if (word && !addWord(level, word)) {
      level.lost = true;
      problems.push(word);
    }
  }
  return null;
}

function readTags(text) {
  const tags = {};
  for (const token of tokensOf(text)) {
    if (token.tag) tags[token.tag] ??= token.value.replace(/\\(.)/g, '$1');
    else if (token.comment === undefined && token.note === undefined) break;
  }
  return tags;
}

const before = (text) => text.replace(/^\uFEFF/, '').replace(/^%[^\n]*\n?/gm, '');

/** Returns the tags of the first game of a PGN. */
export const tagsOf = (text) => readTags(before(text));

/** Splits a PGN into the texts of its games. A game ends with its result, or before the tags of the next. */
export function splitGames(text) {
  const plain = before(text);
  const parts = [];
  let [start, depth, tags, moves] = [0, 0, false, false];
  const cut = (end) => {
    if (tags || moves) parts.push(plain.slice(start, end).trim());
    [start, depth, tags, moves] = [end, 0, false, false];
  };
  for (const token of tokensOf(plain)) {
    if (token.tag && moves && (depth === 0 || token.tag === 'Event')) cut(token.start);
    if (token.tag) tags = true;
    else if (token.bracket) depth = Math.max(0, depth + (token.bracket === '(' ? 1 : -1));
    else if (token.word || token.castling) moves = true;
    else if (token.result && depth === 0) cut(token.end);
  }
  cut(plain.length);
  return parts;
}

/** Reads the first game of a PGN. Returns {tags, tree, result, problems}: problems are the words at which lines end
 * because they are not legal moves. Returns null if there are neither tags nor moves. `known`, a tree with many of the same
 * moves, makes this fast. */
export function fromPgn(text, known = null) {
  const plain = before(text);
  const tags = readTags(plain);
  const start = isPlacement(tags.FEN ?? '') ? tags.FEN : INITIAL;
  const tree = plant(start);
  const problems = [];
  const result = readMoves(tokensOf(plain), tree, problems, known?.fen === start ? known : null) ?? (RESULT.test(tags.Result) ? tags.Result : '*');
  if (Object.keys(tags).length === 0 && tree.children.length === 0) return null;
  return { tags, tree, result, problems };
}
