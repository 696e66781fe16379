import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { playTranscript } from '../../../test-support/command/transcript.ts';
import {
  answerLikeAService,
  goodToken,
  startTestProxy,
} from '../../../test-support/main/connections/test-services.ts';
import { passphrase } from '../../../test-support/main/service/pfx.ts';
import { serveTls } from '../../../test-support/main/service/test-server.ts';

const fixtureText = (name: string) => readFileSync(fixture(name), 'utf8');
const fixture = (name: string) =>
  fileURLToPath(new URL(`../../main/service/fixtures/${name}`, import.meta.url));

describe.skipIf(process.platform !== 'linux')('services', () => {
  test('service add', () =>
    expect(
      playTranscript({ name: 'service-add', with: 'app' }, async ({ coffer }) => {
        await coffer('coffer service add Second "$ADDRESS" < token.txt');
        await coffer('coffer service add Third "$ADDRESS" < token.txt --json');
        await coffer('printf wrong | coffer service add Fourth "$ADDRESS"');
        await coffer('coffer service add Fourth "$ADDRESS/nowhere" --try < token.txt');
        await coffer('coffer service add Fourth "$ADDRESS" --try < token.txt');
        await coffer('coffer service test --try -s Fourth');
        await coffer('coffer service add Fifth http://127.0.0.1:1 < token.txt');
        await coffer('coffer service add Fifth http://127.0.0.1:1 --no-check < token.txt');
        await coffer('coffer service add Sixth "$ADDRESS"', {
          types: [['Token: ', 'wrong\r']],
          only: 'terminal',
        });
        await coffer('coffer service add Sixth http://objects.example.org < token.txt');
        await coffer('coffer service add Local "$ADDRESS" < token.txt');
        await coffer('coffer services --wait 0');
        await coffer('coffer services --json');
      }),
    ).resolves.toMatchFileSnapshot('service-add.txt'));

  test('errors name the option', () =>
    expect(
      playTranscript({ name: 'service-options', with: 'app' }, async ({ coffer, world }) => {
        writeFileSync(join(world.files, 'long.txt'), 'x'.repeat(5000));
        await coffer('coffer service set Local');
        await coffer('coffer service set Nowhere --parts');
        await coffer('coffer service set Local --proxy ftp://proxy.test < token.txt');
        await coffer('coffer service set Local --proxy http://me:secret@proxy.test < token.txt');
        await coffer('coffer service set Local --ca a.txt < token.txt');
        await coffer('coffer service set Local --ca no.pem < token.txt');
        await coffer('coffer service set Local --client-certificate a.txt < token.txt');
        await coffer('coffer service set Local --download-folder a.txt');
        await coffer('coffer service set Local --max-object 0');
        await coffer('coffer service set Local --separator 123456789');
        await coffer("coffer service set Local --identifier-template '{nope}'");
        await coffer('coffer service set Local --version-mark v');
        await coffer('coffer service set Local --classification A --classification-address /policies');
        await coffer('coffer service set Local --address ftp://elsewhere.test < token.txt');
        await coffer(
          'coffer service set Local --no-allow-http --address http://objects.example.org < token.txt',
        );
        await coffer('coffer service set Local --passphrase-file no.txt < token.txt');
        await coffer('coffer service set Local --passphrase-file long.txt < token.txt');
        await coffer(
          'coffer service set Local --proxy none --proxy-user me --proxy-password-file a.txt < token.txt',
        );
      }),
    ).resolves.toMatchFileSnapshot('service-options.txt'));

  test('set, rename, default, rm', () =>
    expect(
      playTranscript({ name: 'service-settings', with: 'app' }, async ({ coffer }) => {
        await coffer('coffer put a.txt --quiet > /dev/null');
        await coffer('coffer service set Local --parts --max-object 1000 --classification Secret');
        await coffer('coffer service set Local --proxy none --json < token.txt');
        await coffer('coffer service set Local --address http://127.0.0.1:1 < token.txt');
        await coffer('coffer service set Local --address "$ADDRESS/" --no-check < token.txt');
        await coffer('coffer service set Local --no-parts --max-object 3');
        await coffer('coffer put b.txt');
        await coffer('coffer service rename Local Work');
        await coffer('coffer service add Second "$ADDRESS" < token.txt --quiet');
        await coffer('coffer service rename Work second');
        await coffer('coffer service default Second --json');
        await coffer('coffer ls');
        await coffer('coffer service rm Work', { only: 'pipe' });
        await coffer('coffer service rm Work', { types: [['[y/N] ', '\r']], only: 'terminal' });
        await coffer('coffer service rm Work', { types: [['[y/N] ', 'y\r']], only: 'terminal' });
        await coffer('coffer service rm Work --yes', { only: 'pipe' });
        await coffer('coffer service rm Second --yes --forget-list --json');
        await coffer('coffer services');
      }),
    ).resolves.toMatchFileSnapshot('service-settings.txt'));

  test('refuses to change a service set only by the environment', () =>
    expect(
      playTranscript({ name: 'service-environment', with: 'memory' }, async ({ coffer }) => {
        await coffer('coffer service add Other "$ADDRESS" < token.txt');
        await coffer('coffer service token < token.txt');
        await coffer('coffer service set any --parts');
        await coffer('coffer service rm any --yes');
      }),
    ).resolves.toMatchFileSnapshot('service-environment.txt'));
});

describe('an untrusted certificate', () => {
  test('fails at once, and names the option', async () => {
    const pem = fixtureText('self-signed.pem');
    const { port } = await serveTls(pem, (_request, response) => response.writeHead(404).end());
    const plain = (text: string) => text.replaceAll(/localhost:\d+/g, 'localhost:8443');
    await expect(
      playTranscript({ name: 'untrusted', with: 'app', plain }, async ({ coffer }) => {
        const env = { COFFER_ADDRESS: `https://localhost:${port}`, COFFER_TOKEN: 'token' };
        const on = { env: { THERE: `https://localhost:${port}` } };
        await coffer('coffer put a.txt', { env });
        await coffer('coffer get a.txt', { env });
        await coffer('coffer check a.txt', { env });
        await coffer('coffer services --wait 60', { env });
        await coffer('coffer service add Second "$THERE" < token.txt', on);
        await coffer('coffer service add Second "$THERE" --no-check < token.txt', on);
        await coffer('coffer put a.txt --service Second', on);
      }),
    ).resolves.toMatchFileSnapshot('untrusted.txt');
  });
});

test.skipIf(process.platform !== 'linux')('a service behind a proxy, with certificates', async () => {
  const pem = fixtureText('named-host.pem');
  const server = await serveTls(pem, answerLikeAService, {
    ca: fixtureText('client-ca.pem'),
    requestCert: true,
    rejectUnauthorized: true,
  });
  const proxy = await startTestProxy({ login: 'me:secret', hosts: { 'objects.test': server.port } });
  const address = 'https://objects.test';
  const plain = (text: string) => text.replaceAll(/127\.0\.0\.1:\d+/g, 'proxy.test:3128');
  await expect(
    playTranscript({ with: 'app', plain }, async ({ coffer, world }) => {
      for (const [name, text] of [
        ['right.txt', `${passphrase}\n`],
        ['password.txt', 'secret\n'],
        ['token', goodToken],
      ] as const)
        writeFileSync(join(world.files, name), text);
      const on = {
        env: { PROXY: proxy.origin, CA: fixture('named-host-ca.pem'), PFX: fixture('client.pfx') },
      };
      const add = `coffer service add Far ${address}`;
      await coffer(`${add} --client-certificate "$PFX" < token`, on);
      await coffer(`${add} --client-certificate "$PFX"`, {
        ...on,
        types: [['Passphrase of client.pfx: ', 'wrong\r']],
        only: 'terminal',
      });
      const way = '--proxy "$PROXY" --ca "$CA"';
      await coffer(`${add} ${way} < token`, on);
      const login = '--proxy-user me --proxy-password-file password.txt';
      await coffer(`${add} --proxy "$PROXY" ${login} < token`, on);
      await coffer(`${add} ${way} ${login} < token`, on);
      await coffer(
        `${add} ${way} --client-certificate "$PFX" --passphrase-file right.txt ${login} < token`,
        on,
      );
      await coffer('coffer service set Far --client-certificate none < token', on);
      await coffer('coffer service set Far --client-certificate "$PFX"', {
        ...on,
        types: [
          ['Passphrase of client.pfx: ', `${passphrase}\r`],
          ['Token: ', `${goodToken}\r`],
        ],
        only: 'terminal',
      });
      await coffer('coffer service set Far --proxy "$PROXY" --proxy-user me', {
        ...on,
        types: [['Password of me', 'secret\r']],
        only: 'terminal',
      });
    }),
  ).resolves.toMatchFileSnapshot('service-way.txt');
});
