/* SPDX-License-Identifier: MIT */
// Runs the examples of the README of the npm package in the current folder, in which the package is installed, and
// compares what they print.
//
// usage: web_readme.mjs README [--print]    --print: prints what the examples print instead
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [readme, option] = process.argv.slice(2);
const examples = [...readFileSync(readme, 'utf8').matchAll(/```js\n(.*?)```\n```text\n(.*?)```/gs)];
assert.equal(examples.length, 5);
for (const [, code, wanted] of examples) {
  writeFileSync('example.mjs', code);
  const printed = execFileSync(process.execPath, ['example.mjs'], { encoding: 'utf8' });
  if (option === '--print') console.log(printed);
  else assert.equal(printed, wanted, code);
}
