import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Three clients at a time, each gone at once: how many are refused. A successful answer starts with 1 (X protocol, section 8). */
const clients = `
  const { execFileSync } = await import('node:child_process');
  const { connect } = await import('node:net');
  const [, name, cookie] = execFileSync('xauth', ['list'], { encoding: 'utf8' }).trim().split(/\\s+/);
  const greeting = Buffer.alloc(48);
  greeting.write('l');
  greeting.writeUInt16LE(11, 2);
  greeting.writeUInt16LE(name.length, 6);
  greeting.writeUInt16LE(cookie.length / 2, 8);
  greeting.write(name, 12);
  greeting.write(cookie, 32, 'hex');
  const answer = () => new Promise((resolve) => {
    const socket = connect('/tmp/.X11-unix/X' + process.env.DISPLAY.slice(1));
    socket.on('error', () => undefined).on('close', () => resolve(0));
    socket.once('data', (data) => { resolve(data[0]); socket.destroy(); });
    socket.write(greeting);
  });
  let refused = 0;
  await Promise.all([1, 2, 3].map(async () => {
    for (let times = 0; times < 50; times += 1) if ((await answer()) !== 1) refused += 1;
  }));
  console.log(refused);
`;

test.skipIf(process.platform !== 'linux')('a window can open while the last one closes', () => {
  const script = fileURLToPath(new URL('with-display.sh', import.meta.url));
  const node = [process.execPath, '--input-type=module', '-e', clients];
  expect(execFileSync('bash', [script, ...node], { encoding: 'utf8' })).toBe('0\n');
});
