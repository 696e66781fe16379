/*
 * A thread that serves one database after another: runs the database's bundle for each port it gets, so that each has its own
 * modules. Only the bundle's parts (zod) are shared. JavaScript: a thread would strip types again.
 */
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { fileURLToPath } = require('node:url');
const { compileFunction } = require('node:vm');
const workerThreads = require('node:worker_threads');

const { parentPort, workerData } = workerThreads;
const path = fileURLToPath(workerData);
const run = compileFunction(readFileSync(path, 'utf8'), ['require', 'exports'], { filename: path });
const requireOfBundle = createRequire(path);
parentPort.on('message', (port) => {
  workerThreads.parentPort = port;
  run(requireOfBundle, {});
});
