/* SPDX-License-Identifier: MIT */
// Sends files to the server, which packs them into archives (doc/reference/serve.md). One file is sent at a time.

import { isLocal, upload as send } from '../base/api.js';
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

/** Continues with the next file. */
function next() {
  job = null;
  if (queue.length > 0) start(queue.shift());
  else listener();
}

async function start(file) {
  const stop = new AbortController();
  job = { name: file.name, size: file.size, sent: 0, phase: 'sending', cancel: () => { queue = []; stop.abort(); } };
  listener();
  const progress = (bytes, complete) => { job.sent = bytes; if (complete) job.phase = 'packing'; listener(); };
  try {
    finished(await send(file, progress, stop.signal), queue.length > 0);
  } catch (error) {
    if (error.name !== 'AbortError') failed.push({ name: file.name, error: error.message });
  }
  next();
}

/** Returns why a file cannot be sent, or null. */
function refusal(file, limits) {
  if (file.size === 0) return 'The file is empty.';
  return file.size > limits.limit ? `The file has ${bytes(file.size)}; at most ${bytes(limits.limit)} can be opened here${isLocal() ? '' : ' (--upload-limit)'}.` : null;
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
