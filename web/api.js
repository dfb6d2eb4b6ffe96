// Requests to the server that the page came from. Addresses are relative: the page may be served below any path.

import { query } from './address.js';
import { INITIAL } from './rules.js';

const NETWORK = 'The server cannot be reached. Is stamma serve still running?';

async function get(path, params, signal) {
  const text = query(params);
  let response;
  try {
    response = await fetch(`${path}${text && `?${text}`}`, { signal, headers: { Accept: 'application/json' } });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Error(NETWORK);
  }
  const body = await response.json().catch((error) => { if (error.name === 'AbortError') throw error; return null; });
  if (!response.ok) throw new Error(body?.error ?? `The server answered with status ${response.status}.`);
  if (body === null) throw new Error('The answer of the server is not JSON.');
  return body;
}

/** Requests the moves played in a position, in the format of the Lichess explorer with additions (doc/search.md). */
export const tree = (params, signal) => get('lichess', { moves: 500, topGames: 4, recentGames: 4, bits: 1, ...params }, signal);

export const find = (params, signal) => get('find', params, signal);

export const stats = (params, signal) => get('stats', { rows: 300, ...params }, signal);

export const archives = (signal) => get('archives', {}, signal);

/** Requests a game with `fens`: the positions before the first move and after each move. */
export async function game(id, params, signal) {
  const answer = await get(`game/${encodeURIComponent(id)}`, params, signal);
  return { ...answer, fens: [answer.fen ?? INITIAL, ...answer.fens] };
}

/** Returns the address of a file to save. */
export const file = (path, params) => `${path}?${query(params)}`;
