/* SPDX-License-Identifier: MIT */
// Sends files to the server, which packs them into archives (doc/serve.md). One file is sent at a time.

import { query } from '../base/address.js';
import { bytes } from '../base/words.js';

/** The upload that is running: {name, size, sent, phase, cancel}. `phase` is 'sending' or 'packing'. null: none. */
let job = null;
let queue = [];
let failed = []; // {name, error} of files that could not be opened, until they are dismissed
let listener = () => {};
let finished = () => {};

export const current = () => job;
export const waiting = () => queue.length;
export const failures = () => failed;

/** Sets the functions that are called when the upload changes, and when an archive was made: finished(answer). */
export function watch(changed, made) {
  [listener, finished] = [changed, made];
}

function answerOf(request) {
  try { return JSON.parse(request.responseText); } catch { return null; }
}

/** Continues with the next file. */
function next() {
  job = null;
  if (queue.length > 0) start(queue.shift());
  else listener();
}

function fail(name, error) {
  failed.push({ name, error });
  next();
}

function done(request, name) {
  const answer = answerOf(request);
  if (request.status !== 200 || !answer) { fail(name, answer?.error ?? `The server answered with status ${request.status}.`); return; }
  finished(answer, queue.length > 0);
  next();
}

// XMLHttpRequest reports the progress of sending; fetch does not.
function start(file) {
  const request = new XMLHttpRequest();
  const cancel = () => { queue = []; request.abort(); };
  job = { name: file.name, size: file.size, sent: 0, phase: 'sending', cancel };
  request.upload.addEventListener('progress', (event) => { job.sent = event.loaded; listener(); });
  request.upload.addEventListener('load', () => { job.phase = 'packing'; listener(); });
  request.addEventListener('load', () => done(request, file.name));
  request.addEventListener('abort', next);
  request.addEventListener('error', () => fail(file.name, 'The file could not be sent. Is stamma serve still running?'));
  request.open('POST', `uploads?${query({ name: file.name })}`);
  request.setRequestHeader('Content-Type', 'application/octet-stream');
  request.send(file);
  listener();
}

/** Returns why a file cannot be sent, or null. */
function refusal(file, limits) {
  if (file.size === 0) return 'The file is empty.';
  return file.size > limits.limit ? `The file has ${bytes(file.size)}; at most ${bytes(limits.limit)} can be opened here (--upload-limit).` : null;
}

/** Sends files, one after another. `limits` is "uploads" of /health. */
export function upload(files, limits) {
  failed = [];
  for (const file of files) {
    const error = refusal(file, limits);
    if (error) failed.push({ name: file.name, error });
    else queue.push(file);
  }
  if (job) listener();
  else next();
}

/** Forgets a file that could not be opened. */
export function dismiss(one) {
  failed = failed.filter((other) => other !== one);
  listener();
}

/** Deletes an uploaded archive on the server. */
export async function closeArchive(number) {
  const response = await fetch(`uploads/${number}`, { method: 'DELETE' });
  if (!response.ok) throw new Error((await response.json().catch(() => null))?.error ?? `The server answered with status ${response.status}.`);
}
