// The address of a view: #/explore?play=e2e4,c7c5&ply=1. What is left out is as it is at first.

const kept = { '%20': '+', '%2F': '/', '%2C': ',', '%3A': ':' };
const encode = (text) => encodeURIComponent(text).replace(/%(20|2F|2C|3A)/g, (code) => kept[code]);

function decode(text) {
  try { return decodeURIComponent(text); } catch { return text; } // a % that is none of an escape
}

/** {view, item, params}: "#/game/3?ply=4" is {view: 'game', item: '3', params: {ply: '4'}}. */
export function parse(hash) {
  const [path, query = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const [view, ...item] = path.split('/');
  return { view: view || 'explore', item: decode(item.join('/')), params: Object.fromEntries(new URLSearchParams(query)) };
}

/** Params as a query, without those that are empty. */
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

/** Goes to an address as a link does, so that Back comes here again. */
export function go(address) {
  if (address !== location.hash) location.hash = address;
}

/** Changes the address without a step for Back: for paging through the plies of one game. */
export function replace(address) {
  history.replaceState(null, '', address);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}
