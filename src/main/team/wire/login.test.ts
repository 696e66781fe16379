import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket, createSecureContext } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import dns from 'node:dns';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventually } from '../../../../test-support/eventually.ts';
import { fixture, fixtureFile, passphrase } from '../../../../test-support/main/service/pfx.ts';
import { placeOf } from '../../../../test-support/main/team/place.ts';
import { startTeamServer } from '../../../../test-support/main/team/team-database.ts';
import { readFileSync } from '../../local-files/fs.ts';
import { isEncrypted, type TeamPlace } from '../place.ts';
import { createTeamServer } from './server.ts';

const { shareTeam, port: postgresPort } = startTeamServer();

const place: TeamPlace = {
  host: '127.0.0.1',
  port: 1,
  database: 'team',
  role: 'anna',
  authority: null,
  clientCertificate: null,
};
const password = 'correct horse battery staple';

/** @returns its port, and a function that waits for all clients to go and all their data to arrive */
async function listen(server: Server): Promise<{ port: number; left: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const left = () =>
    eventually(() => {
      expect(sockets.size).toBeGreaterThan(0);
      expect([...sockets].filter(({ closed }) => !closed)).toEqual([]);
    });
  return { port: (server.address() as AddressInfo).port, left };
}

/** Sends any answer after the first message. @returns its port and everything it received */
async function pretend(...answers: Buffer[]) {
  const heard: Buffer[] = [];
  const { port, left } = await listen(
    createServer((socket) => {
      socket.on('data', (data) => {
        heard.push(data);
        const answer = answers.shift();
        if (answer) socket.write(answer);
      });
    }),
  );
  return { port, left, heard: () => Buffer.concat(heard).toString('latin1') };
}

/** A message of PostgreSQL's protocol. */
function message(letter: string, ...parts: (number | string | Buffer)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part !== 'number') return Buffer.from(part);
      const four = Buffer.alloc(4);
      four.writeInt32BE(part);
      return four;
    }),
  );
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(letter), length, body]);
}

/** Speaks TLS for a real server, which does not. @returns its port and what it received after the handshake */
async function encrypt(pem: string, authority?: string) {
  const heard: Buffer[] = [];
  const { port, left } = await listen(
    createServer((socket) => {
      socket.once('data', () => {
        socket.write('S');
        const secureContext = createSecureContext({
          key: pem,
          cert: pem,
          ...(authority && { ca: authority }),
        });
        const inside = new TLSSocket(socket, {
          isServer: true,
          secureContext,
          requestCert: authority !== undefined,
          rejectUnauthorized: authority !== undefined,
        });
        inside.on('error', () => undefined);
        const server = connect(postgresPort(), '127.0.0.1').on('error', () => undefined);
        inside.on('data', (data: Buffer) => heard.push(data));
        inside.pipe(server).pipe(inside);
      });
    }),
  );
  return { port, left, heard: () => Buffer.concat(heard).toString('latin1') };
}

async function tryOpen(
  given: TeamPlace,
  credentials: { password?: string | null; passphrase?: string } = {},
) {
  const server = createTeamServer(() => undefined);
  const opened = await server.open(given, { password, passphrase: null, ...credentials }, null);
  onTestFinished(() => void server.open({ ...given, port: 1 }, { password, passphrase: null }, null));
  return opened;
}

describe('the password', () => {
  const mechanisms = 'SCRAM-SHA-256\0\0';
  it.each([
    ['itself', message('R', 3)],
    ['as its MD5 digest', message('R', 5, 'salt')],
    ['not at all', Buffer.concat([message('R', 0), message('Z', 'I')])],
    ['by an unknown way', message('R', 7)],
    ['by unknown mechanisms', message('R', 10, 'PLAIN\0\0')],
    ['twice', Buffer.concat([message('R', 10, mechanisms), message('R', 3)])],
    [
      'without a proof of its own',
      Buffer.concat([message('R', 10, mechanisms), message('R', 0), message('Z', 'I')]),
    ],
  ])('is not sent to a server that asks for it %s', async (_, answer) => {
    const { port, heard, left } = await pretend(answer);
    const opened = await tryOpen({ ...place, port });
    await left();
    expect(opened).toMatchObject({ problem: { why: expect.stringMatching(/unsafeLogin|broken/) as string } });
    expect(heard()).toContain('anna');
    expect(heard()).not.toContain('horse');
    // A password message with an MD5 digest begins like this.
    expect(heard()).not.toMatch(/p....md5/s);
    expect(JSON.stringify(opened)).not.toContain('horse');
  });

  it('sends it unencrypted to no other computer, nor anything else', async () => {
    expect(isEncrypted({ ...place, host: '127.evil.example' })).toBe(true);
    expect(isEncrypted({ ...place, host: '10.0.0.1' })).toBe(true);
    expect(['localhost', '127.8.9.1', '::1'].map((host) => isEncrypted({ ...place, host }))).toEqual([
      false,
      false,
      false,
    ]);
    const { port, heard, left } = await pretend(Buffer.from('N'));
    const opened = await tryOpen({ ...place, port, authority: fixture('ca.pem') });
    await left();
    expect(opened).toEqual({ problem: { why: 'encryption', code: '' } });
    expect(heard()).toHaveLength(8);
  });
});

const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.internal === false && address.family === 'IPv4');

it.skipIf(outside === undefined)('sends nothing if localhost is the name of another computer', async () => {
  const { port, heard, left } = await pretend();
  const lookup = vi
    .spyOn(dns, 'lookup')
    .mockImplementation(((_: string, _options: unknown, found: (...all: unknown[]) => void) =>
      found(null, [{ address: outside?.address, family: 4 }])) as never);
  onTestFinished(() => lookup.mockRestore());
  expect(await tryOpen({ ...place, host: 'localhost', port })).toEqual({
    problem: { why: 'encryption', code: '' },
  });
  await left();
  expect(heard()).toBe('');
});

describe('a server', () => {
  it.each([
    ['with an error as its first word', message('E', 'SFATAL\0C53300\0Mtoo many horse\0\0'), 'busy'],
    ['that is starting', message('E', 'SFATAL\0C57P03\0Mstarting\0\0'), 'closed'],
    ['with a code that is none', message('E', 'SFATAL\0C<b>\0Mx\0\0'), 'fault'],
    [
      'with a message of 1 GB',
      Buffer.concat([Buffer.from('N\x40\0\0\0'), Buffer.alloc(17 * 1024 * 1024)]),
      'broken',
    ],
  ])('%s', async (_, answer, why) => {
    const { port } = await pretend(answer);
    const opened = await tryOpen({ ...place, port });
    expect(opened).toMatchObject({ problem: { why } });
    expect(JSON.stringify(opened)).not.toMatch(/horse|<b>/);
  });

  it('that is silent is given up after 15 seconds, and an unreachable one at once', async () => {
    const { port, heard } = await pretend();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const opened = tryOpen({ ...place, port });
    while (heard() === '') await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(14_999);
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(1);
    expect(await opened).toEqual({ problem: { why: 'silent', code: '' } });
    expect(await tryOpen({ ...place, port: 1 })).toEqual({
      problem: { why: 'unreachable', code: 'ECONNREFUSED' },
    });
  });
});

it('binds the login to the connection where the server offers it', async () => {
  const heard: Buffer[] = [];
  const pem = fixture('trusted.pem');
  const { port } = await listen(
    createServer((socket) => {
      socket.once('data', () => {
        socket.write('S');
        const secureContext = createSecureContext({ key: pem, cert: pem });
        const inside = new TLSSocket(socket, { isServer: true, secureContext });
        inside.on('error', () => undefined);
        inside.once('data', () => inside.write(message('R', 10, 'SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0')));
        inside.on('data', (data: Buffer) => {
          if (heard.push(data) > 1) inside.destroy();
        });
      });
    }),
  );
  await tryOpen({ ...place, port, authority: fixture('ca.pem') });
  expect(String(heard[1])).toMatch(/^p.{4}SCRAM-SHA-256-PLUS\0.{4}p=tls-server-end-point,/s);
});

describe('the certificate', () => {
  it.each(['self-signed', 'expired', 'other-host', 'trusted'])(
    'of an untrusted server (%s): nothing is sent to it',
    async (name) => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
      onTestFinished(() => {
        vi.unstubAllEnvs();
        warned.mockRestore();
      });
      const { port, heard, left } = await encrypt(fixture(`${name}.pem`));
      const authority = name === 'trusted' ? fixture('client-ca.pem') : fixture('ca.pem');
      expect(await tryOpen({ ...place, port, authority })).toMatchObject({ problem: { why: 'certificate' } });
      await left();
      expect(heard()).toBe('');
    },
  );

  it('signed by a given authority is accepted, and the person’s client certificate is presented', async () => {
    const team = await shareTeam();
    const { password: right } = team.curator.role;
    const own = async (pem: string, clients?: string) => ({
      ...placeOf(team, team.curator, (await encrypt(pem, clients)).port),
      authority: fixture('ca.pem'),
    });
    const trusted = fixture('trusted.pem');
    expect(await tryOpen(await own(trusted), { password: right })).toEqual({ value: false });
    const server = createTeamServer(() => undefined);
    await server.open(await own(trusted), { password: right, passphrase: null }, null);
    expect(await server.certificates()).toEqual({
      value: [trusted, fixture('ca.pem')].map((pem) => new X509Certificate(pem).fingerprint256),
    });
    await server.open({ ...place, port: 1 }, { password, passphrase: null }, null);

    const asks = await own(trusted, fixture('client-ca.pem'));
    expect(await tryOpen(asks, { password: right })).toMatchObject({ problem: { why: 'clientCertificate' } });
    const base64 = readFileSync(fixtureFile('client.pfx')).toString('base64');
    const withPfx = { ...asks, clientCertificate: { form: 'pfx', base64 } } as const;
    expect(await tryOpen(withPfx, { password: right, passphrase })).toEqual({ value: false });
    expect(await tryOpen(withPfx, { password: right, passphrase: 'wrong' })).toMatchObject({
      problem: { why: 'clientCertificate' },
    });
    // Any certificate with its key, as a PEM file.
    const asksAny = await own(trusted, fixture('ca.pem'));
    const withPem = { ...asksAny, clientCertificate: { form: 'pem', text: trusted } } as const;
    expect(await tryOpen(withPem, { password: right })).toEqual({ value: false });
    const noKey = { form: 'pem', text: String(new X509Certificate(trusted)) } as const;
    expect(await tryOpen({ ...asksAny, clientCertificate: noKey })).toMatchObject({
      problem: { why: 'clientCertificate' },
    });
  });
});
