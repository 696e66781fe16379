import { defineConfig } from 'playwright/test';
import { findElectron, type Shell } from './e2e/launch.ts';

const shells: Shell[] = ['chromium', 'electron'];
if (!findElectron() && process.env['TEST_WORKER_INDEX'] === undefined) {
  process.stderr.write(
    'SKIPPED: the electron project. Its binary is not here, and is downloaded at the first `npm start`.\n',
  );
}

export default defineConfig<{ shell: Shell }>({
  testDir: 'e2e/specs',
  outputDir: 'test-results/e2e',
  // Tests mostly wait for the window, so more workers than cores pay off.
  workers: 3,
  forbidOnly: Boolean(process.env['CI']),
  // A busy machine takes several times as long.
  timeout: 90_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  projects: shells.map((shell) => ({ name: shell, use: { shell } })),
});
