/* SPDX-License-Identifier: MIT */
// The supplier of answers that asks the server from which the page came (supplier.js). Addresses are relative: the page
// may be served below any path.

import { query } from './address.js';

const HEADERS = { Accept: 'application/json' };

function address(path, params) {
  const text = query(params);
  return `${path}${text && `?${text}`}`;
}

const unreachable = () => Object.assign(new Error('The server cannot be reached. Is stamma serve still running?'), { name: 'Unreachable' });

/* Fails as the request does: it was aborted, or the connection was lost. */
function failed(error) {
  throw error.name === 'AbortError' ? error : unreachable();
}

async function readLines(response, each) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ;) {
    const { done, value } = await reader.read().catch(failed);
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    lines.filter(Boolean).forEach(each);
  }
}

/** Sends a body. XMLHttpRequest reports the number of bytes that are sent; fetch does not. */
function send(method, path, params, { body, progress, signal }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.addEventListener('progress', (event) => progress(event.loaded, false));
    request.upload.addEventListener('load', () => progress(body.size, true));
    request.addEventListener('load', () => resolve({ status: request.status, text: async () => request.responseText }));
    request.addEventListener('abort', () => reject(new DOMException('The request was aborted.', 'AbortError')));
    request.addEventListener('error', () => reject(unreachable()));
    signal.addEventListener('abort', () => request.abort());
    request.open(method, address(path, params));
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.send(body);
  });
}

async function ask(method, path, params, { signal }) {
  const response = await fetch(address(path, params), { method, signal, headers: HEADERS }).catch(failed);
  return { status: response.status, text: () => response.text().catch(failed), lines: (each) => readLines(response, each) };
}

export const serverSupplier = {
  request: (method, path, params, options = {}) => (options.body ? send : ask)(method, path, params, options),
  fileAddress: address,
};
