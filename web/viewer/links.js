/* SPDX-License-Identifier: MIT */
// Links to games on other sites. Tags such as Site contain addresses, but anyone can write a tag: only the complete text
// of a tag is a link, only by https, only to the hosts listed here, and only without a user name or a port. The other
// site learns neither the address of this page nor has access to it.

import { el } from '../base/dom.js';

const HOSTS = ['lichess.org', 'chess.com', 'chessgames.com', '365chess.com', 'chesstempo.com', 'chess-results.com', 'fide.com', 'iccf.com',
  'freechess.org', 'ficsgames.org', 'chessclub.com', 'tcec-chess.com', 'computerchess.org.uk', 'playchess.com', 'chess24.com', 'theweekinchess.com'];

/** Returns the address of a text that may be a link, otherwise null. http is replaced by https. */
export function safeAddress(text) {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text)) return null;
  let url;
  try { url = new URL(text); } catch { return null; }
  const known = HOSTS.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`));
  if (!known || url.username || url.password || url.port) return null;
  url.protocol = 'https:';
  return url.href;
}

/** Returns a link if the text is an address of a known site, otherwise the text. */
export function linked(text) {
  const address = safeAddress(text);
  return address ? el('a', { href: address, target: '_blank', rel: 'noopener noreferrer nofollow' }, text) : text;
}
