// SPDX-License-Identifier: MIT
// Answers requests from the files of a static site, as the worker of its page does.
//
// usage: site_answers.mjs SITE    reads a JSON list of [path, query], and prints a list of [status, body]
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const site = pathToFileURL(`${process.argv[2]}/`).href;
const { Module } = await import(`${site}stamma/module.js`);
const { openSite } = await import(`${site}stamma/site.js`);

function range(address, offset, size) {
  const bytes = new Uint8Array(size);
  const file = openSync(new URL(address));
  for (let got = 0, n = 1; got < size && n > 0; got += n) n = readSync(file, bytes, got, size - got, offset + got);
  closeSync(file);
  return bytes;
}

const whole = (address) => new Uint8Array(readFileSync(new URL(address)));

const transport = {
  fetch: async (address, part) => (part ? { bytes: range(address, part[0], part[1] + 1 - part[0]), isWhole: false } : { bytes: whole(address), isWhole: true }),
  read: (address, offset, size) => (size ? range(address, offset, size) : whole(address)),
};

const module = await Module.create(await WebAssembly.compile(whole(`${site}stamma/stamma.wasm`)));
for (const { name, file, ...more } of await openSite(`${site}site.json`, transport)) module.add(name, file, more);
const answers = JSON.parse(readFileSync(0, 'utf8')).map(([path, query]) => {
  const pieces = [];
  const status = module.answer(path, query, { begin() {}, piece: (bytes) => { pieces.push(bytes); } });
  return [status, Buffer.concat(pieces).toString('latin1')];
});
process.stdout.write(JSON.stringify(answers));
