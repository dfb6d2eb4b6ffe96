/* SPDX-License-Identifier: MIT */
// The supplier of answers that needs no server (supplier.js): a worker reads the archives and answers the requests.
//
// The worker is synchronous: while it answers, it receives no messages. If a request that is being answered is aborted and
// the answer takes longer, the worker is replaced by a new one, which opens the archives again.

import { query } from './address.js';

const PATIENCE = 400; // milliseconds that an aborted request may still run if another request waits
const SCHEME = 'stamma:';

const unreachable = (why) => Object.assign(new Error(`The archives cannot be read in this browser: ${why}.`), { name: 'Unreachable' });
const aborted = () => new DOMException('The request was aborted.', 'AbortError');

/* An answer whose pieces arrive. */
function createAnswer(status) {
  const pieces = [];
  let wake = () => {};
  let state = 'open';
  let failure = null;
  const more = () => new Promise((done) => { wake = done; });

  async function* all() {
    for (let n = 0; ;) {
      if (n < pieces.length) { yield pieces[n]; n += 1; continue; }
      if (state === 'failed') throw failure;
      if (state === 'ended') return;
      await more();
    }
  }

  async function blob() {
    const kept = [];
    for await (const piece of all()) kept.push(piece);
    return new Blob(kept);
  }

  async function lines(each) {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const piece of all()) {
      const found = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = found.pop();
      found.filter(Boolean).forEach(each);
    }
  }

  return {
    add(piece) { pieces.push(piece); wake(); },
    end() { state = 'ended'; wake(); },
    fail(error) { [state, failure] = ['failed', error]; wake(); },
    public: { status, text: async () => (await blob()).text(), lines, blob },
  };
}

/** Creates the supplier. `address` is the address of the worker's module, and `site` that of the list of archives, or
 * null (bindings/web/js/worker.js). */
export function createWorkerSupplier(address, site) {
  const jobs = new Map(); // by id: {message, resolve, fail, progress, answer, isAborted}, in the order of the requests
  const made = []; // archives that workers made; a new worker gets them
  let numbers = 0;
  let worker = null;
  let failure = null; // why there is no worker

  function settle(id, act) {
    const job = jobs.get(id);
    jobs.delete(id);
    if (job) act(job.answer ?? job);
  }

  function fail(error) {
    failure = error;
    [...jobs.keys()].forEach((id) => settle(id, (one) => one.fail(error)));
  }

  function takeAnswer(job, data) {
    if (data.progress && job.isAborted) return;
    if (data.progress) job.progress?.(...data.progress);
    else if (data.status === 499) settle(data.id, (one) => one.fail(aborted()));
    else if (data.failed) settle(data.id, (one) => one.fail(new Error(data.failed)));
    else if (data.status) { job.answer = createAnswer(data.status); job.resolve(job.answer.public); } else if (data.piece) job.answer.add(data.piece);
    else if (data.end) settle(data.id, (one) => one.end());
  }

  function take({ data }) {
    if (data.made !== undefined) made.push(data.made);
    else if (data.closed !== undefined) made[data.closed] = null;
    else if (data.stopped) restart();
    else if (data.failed && data.id === undefined) fail(unreachable(data.failed));
    else if (jobs.has(data.id)) takeAnswer(jobs.get(data.id), data);
  }

  function start() {
    worker = new Worker(address, { type: 'module' });
    worker.addEventListener('message', take);
    worker.addEventListener('error', (event) => fail(unreachable(event.message || 'its files are missing')));
    worker.postMessage({ open: { site, made } });
  }

  /* Ends an answer that is too slow. The other requests begin again. */
  function restart() {
    worker.terminate();
    start();
    for (const [id, job] of jobs) {
      if (job.answer || job.isAborted) settle(id, (one) => one.fail(aborted()));
      else worker.postMessage({ id, ...job.message });
    }
  }

  /* Ends a request. If the answer is late, the worker is replaced if another request waits, or if the
   * request packs a file. */
  function abort(id) {
    const job = jobs.get(id);
    if (!job) return;
    job.isAborted = true;
    worker.postMessage({ abort: id });
    (job.answer ?? job).fail(aborted());
    const isLate = () => jobs.get(id) === job && [...jobs.keys()][0] === id && (jobs.size > 1 || job.message.body);
    setTimeout(() => { if (isLate()) restart(); }, PATIENCE);
  }

  function request(method, path, params, { signal, body, progress } = {}) {
    return new Promise((resolve, reject) => {
      if (failure || signal?.aborted) { reject(failure ?? aborted()); return; }
      numbers += 1;
      const id = numbers;
      const message = { method, path, query: query(params), body };
      jobs.set(id, { message, resolve, progress, fail: reject });
      signal?.addEventListener('abort', () => abort(id), { once: true });
      worker.postMessage({ id, ...message });
    });
  }

  start();
  return { isLocal: true, request, fileAddress: (path, params = {}) => `${SCHEME}${path}?${query(params)}` };
}

/* The name of a saved file, if the link has none. */
async function nameOf(supplier, path) {
  if (!path.startsWith('uploads/')) return path;
  const list = JSON.parse(await (await supplier.request('GET', 'archives', {})).text());
  const { name } = list.find((one) => one.number === Number(path.slice('uploads/'.length)));
  return `${name.replace(/\.(gz|bz2|xz|zst|zip)$/i, '').replace(/\.(pgn|stamma)$/i, '')}.stamma`;
}

async function save(supplier, link) {
  const [path, text] = link.getAttribute('href').slice(SCHEME.length).split('?');
  const answer = await supplier.request('GET', path, Object.fromEntries(new URLSearchParams(text)));
  const address = URL.createObjectURL(await answer.blob());
  const saved = document.createElement('a');
  [saved.href, saved.download] = [address, link.download || await nameOf(supplier, path)];
  saved.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** Saves the answers that links with addresses of a worker's supplier refer to. */
export function saveByLinks(supplier) {
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.(`a[href^="${SCHEME}"]`);
    if (!link) return;
    event.preventDefault();
    save(supplier, link);
  });
}
