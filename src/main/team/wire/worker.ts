import { parentPort } from 'node:worker_threads';
import { sendEvent, serve } from '../../database/worker-rpc.ts';
import { createTeamServer } from './server.ts';

const port = parentPort;
if (port === null) throw new Error('This file is the entry of a thread');
const server = createTeamServer((event) => sendEvent(port, event));
serve(
  port,
  (room) => (room === 'server' ? server : undefined),
  () => undefined,
);
