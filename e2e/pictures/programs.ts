import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect as expectSoon, type Page } from 'playwright/test';
import type { CofferWindow } from '../pages/coffer-window.ts';
import { closeMessages, small, take, takeElement } from './camera.ts';

const expect = expectSoon.configure({ timeout: 20_000 });
const root = join(import.meta.dirname, '..', '..');

const service = 'coffer://Meridian%20Archive/secret/';
const environment = `DATABASE_URL=${service}db/ledger/primary-url
REGISTRY_TOKEN=${service}ci/registry-token
SMTP_PASSWORD=${service}mail/smtp-relay
`;
const program = `#!/bin/sh
echo "Deploying to $1 with $DATABASE_URL"
`;

/**
 * A program that asks for secrets, and the terminal it was started in.
 * @param home shared with the application, which uses the default data folder in it
 */
export async function takePrograms(coffer: CofferWindow, home: string): Promise<void> {
  const { page } = coffer;
  const work = join(home, 'work', 'ledger');
  mkdirSync(join(work, 'q3'), { recursive: true });
  writeFileSync(join(work, '.env'), environment);
  writeFileSync(join(work, 'deploy.sh'), program);
  chmodSync(join(work, 'deploy.sh'), 0o755);
  writeFileSync(join(work, 'q3', 'cash-flow.xlsx'), 'c'.repeat(2_300_000));
  writeFileSync(join(work, 'q3', 'headcount.csv'), 'h'.repeat(86_000));
  // Only its name matters.
  const terminal = join(home, 'terminal');
  copyFileSync('/usr/bin/script', terminal);

  const lines = [
    ...(await type('coffer put q3 --to reports/2026 --classification Internal --no-progress')),
    ...(await type('coffer ls reports/2026/q3')),
  ];
  // Hides the secret's value behind the dialog.
  await coffer.collection('All objects').click();
  await coffer.collection('Secrets').click();
  await closeMessages(page);
  const asking = type('coffer run --env-file .env -- ./deploy.sh production');
  const question = page.getByRole('alertdialog', { name: 'deploy.sh asks for 3 secrets' });
  await expect(question).toBeVisible();
  // Hides the path of this clone.
  await question.getByText(root).evaluate((line, path) => {
    line.textContent = (line.textContent ?? '').replaceAll(path, '/opt/coffer');
  }, root);
  await expect(question.getByRole('button', { name: 'Allow once' })).toBeEnabled();
  await take(page, 'approve');
  await take(page, 'approve-small', small);
  await question.getByRole('button', { name: 'Allow once' }).click();
  lines.push(...(await asking));
  await takeTerminal(page, lines);

  /** Runs a line in its own terminal. Returns the line and its output. */
  async function type(line: string): Promise<string[]> {
    const { COFFER_TOKEN: _token, COFFER_ADDRESS: _address, ...env } = process.env;
    const child = spawn(terminal, ['-qfec', line, '/dev/null'], {
      cwd: work,
      env: {
        ...env,
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`,
      },
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece));
    await once(child, 'close');
    return [`~/work/ledger $ ${line}`, ...stripVTControlCharacters(said).trimEnd().split(/\r?\n/), ''];
  }
}

/** Takes a terminal session, in the window's monospace font. */
async function takeTerminal(page: Page, lines: readonly string[]): Promise<void> {
  await page.evaluate((text) => {
    const terminal = document.createElement('pre');
    terminal.id = 'terminal';
    terminal.textContent = text;
    Object.assign(terminal.style, {
      position: 'fixed',
      inset: '0 auto auto 0',
      zIndex: '100',
      width: '880px',
      padding: '20px 24px',
      font: '13px/20px "JetBrains Mono Variable", monospace',
      color: '#e6edf0',
      background: '#14191b',
    });
    document.body.append(terminal);
  }, lines.join('\n').trimEnd());
  await takeElement(page.locator('#terminal'), 'terminal');
  await page.evaluate(() => document.querySelector('#terminal')?.remove());
}
