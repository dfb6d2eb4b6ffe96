/* SPDX-License-Identifier: MIT */
// The address of a view: #/explore?play=e2e4,c7c5&ply=1. Omitted parameters have their initial values.

import { long } from './short_links.js';

const kept = { '%20': '+', '%2F': '/', '%2C': ',', '%3A': ':' };
const encode = (text) => encodeURIComponent(text).replace(/%(20|2F|2C|3A)/g, (code) => kept[code]);

function decode(text) {
  try { return decodeURIComponent(text); } catch { return text; } // a % that is not an escape
}

/** Parses an address into {view, item, params}: "#/game/3?ply=4" is {view: 'game', item: '3', params: {ply: '4'}}. Short
 * addresses (short_links.js) are parsed into the same parts as their long forms. */
export function parse(hash) {
  const [path, query = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const [view, ...item] = path.split('/');
  return long({ view: view || 'explore', item: decode(item.join('/')), params: Object.fromEntries(new URLSearchParams(query)) });
}

/** Formats params as a query, without empty ones. */
export function query(params) {
  return Object.entries(params)
    .filter(([, value]) => value !== '' && value !== null && value !== undefined && value !== false)
    .map(([key, value]) => `${encode(key)}=${encode(String(value))}`)
    .join('&');
}

export function format(view, params = {}, item = '') {
  const text = query(params);
  return `#/${view}${item === '' ? '' : `/${encodeURIComponent(item)}`}${text && `?${text}`}`;
}

/** Goes to an address as a link does: Back returns to the current one. The view is shown before this returns, so that the
 * next move belongs to the new position. */
export function go(address) {
  if (address === location.hash) return;
  history.pushState(null, '', address);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Changes the address without adding an entry to the history, for paging through the plies of a game. */
export function replace(address) {
  history.replaceState(null, '', address);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}
