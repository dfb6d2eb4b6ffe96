// Sends files to the server, which packs them into archives (doc/serve.md). One file is sent at a time.

import { query } from './address.js';

/** The upload that is running or has failed: {name, size, sent, phase, error, cancel}. `phase` is 'sending', 'packing'
 * or 'failed'. null: none. */
let job = null;
let queue = [];
let listener = () => {};
let finished = () => {};

export const current = () => job;
export const waiting = () => queue.length;

/** Sets the functions that are called when the upload changes, and when an archive was made: finished(answer). */
export function watch(changed, made) {
  [listener, finished] = [changed, made];
}

function answerOf(request) {
  try { return JSON.parse(request.responseText); } catch { return null; }
}

function fail(error) {
  job = { ...job, phase: 'failed', error };
  queue = [];
  listener();
}

function done(request) {
  const answer = answerOf(request);
  if (request.status !== 200 || !answer) { fail(answer?.error ?? `The server answered with status ${request.status}.`); return; }
  job = null;
  const more = queue.length > 0;
  finished(answer, more);
  if (more) start(queue.shift());
  else listener();
}

// XMLHttpRequest reports the progress of sending; fetch does not.
function start(file) {
  const request = new XMLHttpRequest();
  const cancel = () => { queue = []; request.abort(); };
  job = { name: file.name, size: file.size, sent: 0, phase: 'sending', error: null, cancel };
  request.upload.addEventListener('progress', (event) => { job.sent = event.loaded; listener(); });
  request.upload.addEventListener('load', () => { job.phase = 'packing'; listener(); });
  request.addEventListener('load', () => done(request));
  request.addEventListener('abort', () => { job = null; listener(); });
  request.addEventListener('error', () => fail('The file could not be sent. Is stamma serve still running?'));
  request.open('POST', `uploads?${query({ name: file.name })}`);
  request.setRequestHeader('Content-Type', 'application/octet-stream');
  request.send(file);
  listener();
}

const SMALL = 1e6;

/** Returns why a file cannot be sent, or null. */
function refusal(file, limits) {
  const megabytes = (n) => `${(n / SMALL).toFixed(n < 10 * SMALL ? 1 : 0)} MB`;
  if (file.size === 0) return 'The file is empty.';
  return file.size > limits.limit ? `The file has ${megabytes(file.size)}; at most ${megabytes(limits.limit)} can be opened here (--upload-limit).` : null;
}

/** Sends files, one after another. `limits` is "uploads" of /health. */
export function upload(files, limits) {
  const [first, ...others] = files;
  if (!first) return;
  if (job && job.phase !== 'failed') { queue.push(...files); listener(); return; }
  const refused = files.find((file) => refusal(file, limits));
  if (refused) {
    job = { name: refused.name, size: refused.size, sent: 0, cancel: () => {} };
    fail(refusal(refused, limits));
    return;
  }
  queue = others;
  start(first);
}

/** Forgets an upload that has failed. */
export function dismiss() {
  if (job?.phase === 'failed') job = null;
  listener();
}

/** Deletes an uploaded archive on the server. */
export async function closeArchive(number) {
  const response = await fetch(`uploads/${number}`, { method: 'DELETE' });
  if (!response.ok) throw new Error((await response.json().catch(() => null))?.error ?? `The server answered with status ${response.status}.`);
}
