import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { removeFolder } from '../test-support/remove-folder.ts';
import { root } from './tools.js';

const program = process.platform === 'win32' ? 'electron.exe' : 'electron';
const zip = zipOf(program, Buffer.from('Electron'));

/** A project without Electron's binary: the scripts that `npm start` runs, and Electron's own installer, to which this archive is the right one. */
function makeProject() {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-electron-'));
  onTestFinished(() => removeFolder(folder));
  for (const name of ['electron.js', 'electron-libraries.json', 'setup.js', 'tools.js'])
    cpSync(join(root, 'scripts', name), join(folder, 'scripts', name));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'electron'), { recursive: true });
  for (const name of ['@electron', '@electron-internal'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
  for (const name of ['install.js', 'package.json'])
    cpSync(join(root, 'node_modules', 'electron', name), join(modules, 'electron', name));
  const { version } = JSON.parse(readFileSync(join(modules, 'electron', 'package.json'), 'utf8'));
  const archive = `electron-v${version}-${process.platform}-${process.arch}.zip`;
  const checksums = { [archive]: createHash('sha256').update(zip).digest('hex') };
  writeFileSync(join(modules, 'electron', 'checksums.json'), JSON.stringify(checksums));
  return { folder, version, archive };
}

/** What `npm start` says while it looks for Electron, in a network where nothing but this computer can be reached. */
async function fetchIn({ folder }, env) {
  const others = Object.entries(process.env).filter(([name]) => !/proxy|electron|^npm_/i.test(name));
  // The probe of the public host; the installer is a process of its own.
  const script = `
    globalThis.fetch = () => Promise.reject(new Error('No network'));
    const { fetchElectron } = await import('./scripts/electron.js');
    const { findElectron } = await import('./scripts/setup.js');
    console.log(JSON.stringify({ trouble: await fetchElectron(), found: findElectron() }));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    env: { ...Object.fromEntries(others), electron_config_cache: join(folder, 'cache'), ...env },
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (data) => (said[name] += data));
  await new Promise((resolve) => child.on('close', resolve));
  return { ...JSON.parse(said.stdout), said: said.stderr };
}

/** A server with the archive, which notes what it was asked for. */
async function serve(body, handle = (server) => server) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(body ? 200 : 404).end(body);
  });
  handle(server, asked);
  await new Promise((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { asked, address: `http://127.0.0.1:${server.address().port}/` };
}

test('Electron comes from a mirror, also where its usual host cannot be reached', async () => {
  const project = makeProject();
  const { asked, address } = await serve(zip);
  const { trouble, found, said } = await fetchIn(project, { ELECTRON_MIRROR: address });
  expect({ trouble, said }).toEqual({ trouble: null, said: `Downloading Electron ${project.version}\n` });
  expect(asked).toEqual([`/v${project.version}/${project.archive}`]);
  expect(readFileSync(found, 'utf8')).toBe('Electron');
});

test.each(['HTTP_PROXY', 'npm_config_proxy'])('the installer goes through the proxy of %s', async (name) => {
  const project = makeProject();
  const mirror = await serve(zip);
  const proxy = await serve(null, (server, asked) =>
    server.on('connect', ({ url }, client) => {
      asked.push(url);
      const target = connect(new URL(mirror.address).port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.pipe(target).pipe(client);
      });
      for (const each of [client, target]) each.on('error', () => undefined);
    }),
  );
  const env = { ELECTRON_MIRROR: 'http://mirror.invalid/', [name]: proxy.address };
  const { trouble } = await fetchIn(project, env);
  expect(trouble).toBeNull();
  expect(proxy.asked).toEqual(['mirror.invalid:80']);
  expect(mirror.asked).toHaveLength(1);
});

test('a failed download shows what the installer says, and what to check', async () => {
  const project = makeProject();
  const { address } = await serve(null);
  const { trouble, found, said } = await fetchIn(project, { ELECTRON_MIRROR: address });
  expect(found).toBeNull();
  expect(said).toContain(`Response code 404 (Not Found) for ${address}`);
  expect(trouble).toBe(
    `Electron ${project.version} was not downloaded; its installer has said why. Check ELECTRON_MIRROR.`,
  );
});

test('says an unreachable host in one line without a proxy or a mirror, with what to set', async () => {
  const project = makeProject();
  expect(await fetchIn(project, {})).toEqual({
    trouble: `Electron ${project.version} cannot be downloaded: github.com does not answer. Set HTTPS_PROXY if this network has a proxy, or ELECTRON_MIRROR to a server that has Electron.`,
    found: null,
    said: '',
  });
});

/** A zip archive of one file, stored as it is (PKWARE's APPNOTE, 4.3). */
function zipOf(name, body) {
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0); // the version that reads it
  common.writeUInt32LE(crc32(body), 10);
  common.writeUInt32LE(body.length, 14);
  common.writeUInt32LE(body.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), body]);
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02'),
    Buffer.from([20, 3]), // made on Unix, whose rights follow
    common,
    Buffer.alloc(6),
    Buffer.from([0, 0, 0xed, 0x81]), // a file, 0755
    Buffer.alloc(4),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
