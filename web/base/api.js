/* SPDX-License-Identifier: MIT */
// All requests of the page, and the addresses of files. supplier.js answers them: the server, or another supplier.

import { query } from './address.js';
import { keep, recall } from './answers.js';
import { INITIAL } from './rules.js';
import { supplier } from './supplier.js';

/* Messages of the server about parameters of an address, in words of the page. */
const inWords = (text) => text.replace(/^query, byte \d+: /, '').replace(/^fen: no FEN at byte (\d+)/, 'FEN: not valid at character $1')
  .replace(/^fen:/, 'FEN:').replace(/^play: /, '')
  .replace(/^archive: the uploaded archive \d+ was closed/, 'the uploaded archive of this address was closed')
  .replace(/^archive: there is no archive \d+.*/, 'this server has no archive with the number of this address');

/** Returns the error that the server reports. `final`: the same request fails again. */
function errorOf(status, text) {
  const error = new Error(text === undefined ? `The server answered with status ${status}.` : inWords(text));
  return Object.assign(error, { status, final: status < 500 && status !== 429 });
}

/* The addresses of the page name the archive in a shorter way than the server. */
const sent = ({ archive, ...params }) => (archive === undefined || archive === '' ? params : { ...params, archive_number: archive });

const parsed = (text) => { try { return JSON.parse(text); } catch { return null; } };

/** Returns whether archives are read in this browser, without a server. */
export const isLocal = () => supplier().isLocal === true;

/** Returns the parameters of a request for a tree whose answer reads little: in a page without a server, without the names
 * of players, which are read later. */
export const quickTree = (params) => (isLocal() ? { ...params, unnamed: 1 } : params);

let lost = () => {};

/** Sets the function that is called when a request gets no answer. */
export function onUnreachable(act) {
  lost = act;
}

/** Sends a request. Returns the answer, or throws the error that the server reports. */
async function send(method, path, params, options) {
  const answer = await supplier().request(method, path, sent(params), options).catch((error) => {
    if (error.name === 'Unreachable') lost();
    throw error;
  });
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw errorOf(answer.status, parsed(await answer.text())?.error);
}

const ask = (path, params, signal) => send('GET', path, params, { signal });

async function json(answer) {
  const value = parsed(await answer.text());
  if (value === null) throw new Error('The answer of the server is not JSON.');
  return value;
}

const started = new Map(); // answers that were requested before they were needed; each is used once

/** Sends a request before its answer is needed. */
export function start(path, params = {}) {
  const answer = get(path, params);
  answer.catch(() => {}); // reported when the answer is needed
  started.set(`${path}?${query(params)}`, answer);
}

async function get(path, params, signal) {
  const name = `${path}?${query(params)}`;
  const early = started.get(name);
  started.delete(name);
  if (early) return early.then((answer) => { signal?.throwIfAborted(); return answer; });
  return json(await ask(path, params, signal));
}

const ofTree = (params) => ({ moves: 500, topGames: 4, recentGames: 4, bits: 1, openings: 1, ...params });

/** Returns whether tree() needs no request. */
export const isTreeKnown = (params) => recall(query(ofTree(params))) !== undefined;

/** Sends the request of tree() before its answer is needed. */
export const startTree = (params) => start('lichess', ofTree(params));

/** Requests the moves played in a position, in the format of the Lichess explorer with additions (doc/reference/serve.md). Answers
 * are kept for some minutes. */
export async function tree(params, signal) {
  const name = query(ofTree(params));
  return recall(name) ?? keep(name, await get('lichess', ofTree(params), signal));
}

/** Calls each(line) for each line of an answer but the last, which is returned. Throws the error of the last line. */
async function stream(path, params, each, signal) {
  const answer = await ask(path, params, signal);
  let last = null;
  await answer.lines((text) => {
    const line = JSON.parse(text);
    if (line.done || line.end || line.error) last = line;
    else each(line);
  });
  if (!last || last.error) throw new Error(last?.error ?? 'The answer of the server is incomplete.');
  return last;
}

/** Requests games that are sent while they are found. Calls each(line) for each line but the last (doc/reference/serve.md), which
 * is returned. Throws the error of a search that fails. */
export const findStream = (params, each, signal) => stream('find', { ...params, stream: 1 }, each, signal);

/** Requests an analysis by the server's engine (doc/reference/serve.md). Calls each(line) for each line but the last, which is
 * returned. Throws the error of an engine that fails. Aborting the signal stops the engine. */
export const analyse = (params, each, signal) => stream('engine', params, each, signal);

export const stats = (params, signal) => get('stats', { limit: 300, ...params }, signal);

/** Requests names of players that fit words in any order, with their numbers of games. */
export const players = (params, signal) => get('players', params, signal);

/** Requests a report of a player's games (doc/reference/reports.md). */
export const report = (params, signal) => get('report', params, signal);

/** Requests the moves of a line in SAN and its positions: {san, fens}. */
export const line = (params, signal) => get('line', params, signal);

/** Requests the first new move of a game (doc/reference/serve.md). */
export const novelty = (id, params, signal) => get(`novelty/${encodeURIComponent(id)}`, params, signal);

/** Requests the questions that are saved next to the archives: {name, archive_number, query}. */
export const questions = (signal) => get('questions', {}, signal);

/** Requests the orders of moves by which games reach a position. */
export const orders = (params, signal) => get('orders', params, signal);

/** Requests the result of a position and of its moves from the server's tablebases (doc/reference/serve.md). */
export async function tablebase(params, signal) {
  const name = `tablebase ${query(params)}`;
  return recall(name) ?? keep(name, await get('tablebase', params, signal));
}

/** Requests the list of encodings (doc/reference/serve.md). */
export async function encodings(signal) {
  return recall('encodings') ?? keep('encodings', (await get('encodings', {}, signal)).encodings);
}

/* Parses JSON whose whole numbers of more than 15 digits become texts, so that no digit is lost. */
export const parseExact = (text) => JSON.parse(text.replace(/":(\d{16,})(?=[,}])/g, '":"$1"'));

/** Requests the codes of the last move of `play`, or with `of` those of the position. */
export async function encode(params, signal) {
  const name = `encode ${query(params)}`;
  return recall(name) ?? keep(name, parseExact(await (await ask('encode', params, signal)).text()));
}

/** Requests the bits of each move of a game in each encoding. */
export const encodeSizes = (params, signal) => get('encode/sizes', params, signal);

/** Decodes a value. Returns a list of moves, or of one position. */
export async function decode(params, signal) {
  const text = await (await ask('decode', params, signal)).text();
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

export const archives = (signal) => get('archives', {}, signal);

/** Requests the state of the server: the limits of uploads, the engine ... */
export const health = (signal) => get('health', {}, signal);

/** Requests a game with `fens`, the positions before the first move and after each move; `evals`, evaluations in the form
 * that words.js formats; and `clocks` in seconds. */
export async function game(id, params, signal) {
  const answer = await get(`game/${encodeURIComponent(id)}`, { ...params, openings: 1 }, signal);
  const evals = answer.eval_cp.map((value, i) => (answer.mate[i] === null ? value : { mate: answer.mate[i] }));
  const clocks = answer.clock_ms.map((ms) => (ms === null ? null : ms / 1000));
  return { ...answer, evals, clocks, fens: [answer.fen ?? INITIAL, ...answer.fens] };
}

/** Requests the text of a game. */
export const gameText = async (id, params, signal) => (await ask(`game/${encodeURIComponent(id)}`, { ...params, format: 'pgn' }, signal)).text();

/** Packs a file and serves it as an archive (doc/reference/serve.md). progress(bytes, complete) is called while it is sent. */
export const upload = async (file, progress, signal) => json(await send('POST', 'uploads', { name: file.name }, { body: file, progress, signal }));

/** Deletes an uploaded archive. */
export const closeUpload = (number) => send('DELETE', `uploads/${number}`, {}, {});

/** Returns the address of a file to save, or of a picture. */
export const file = (path, params = {}) => supplier().fileAddress(path, sent(params));
