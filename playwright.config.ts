import { defineConfig } from 'playwright/test';
import { findElectron, type Shell } from './e2e/launch.ts';

// Without its binary it has no project: a skipped test starts a worker, too.
const shells: Shell[] = findElectron() ? ['chromium', 'electron'] : ['chromium'];
if (shells.length === 1 && process.env['TEST_WORKER_INDEX'] === undefined) {
  process.stderr.write(
    'SKIPPED: the electron project. Its binary is not here, and is downloaded at the first `npm start`.\n',
  );
}

/** Without the tests tagged `@all`, for `npm test`. */
const isQuick = process.env['COFFER_TESTS'] === 'quick';

export default defineConfig<{ shell: Shell }>({
  outputDir: 'test-results/playwright',
  // Tests mostly wait for the window, so more workers than cores pay off.
  workers: 3,
  forbidOnly: Boolean(process.env['CI']),
  // Guards against hanging alone: the longest take a quarter of a minute, and on a busy machine many times as long.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  projects: [
    // `npm run package:check`: packages the build, inspects the packages and starts one. They are made once, by one worker, which
    // begins first.
    { name: 'packages', testDir: 'packaging/check', workers: 1, ...(isQuick && { grepInvert: /@all/ }) },
    ...shells.map((shell) => ({
      name: shell,
      testDir: 'e2e/specs',
      use: { shell },
      // Of Electron's own project none is left out: the stand-in's faster tests say nothing of Electron.
      ...(isQuick && shell === 'chromium' && { grepInvert: /@all/ }),
    })),
  ],
});
