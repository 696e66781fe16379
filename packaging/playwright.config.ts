import { defineConfig } from 'playwright/test';

/** `npm run package:check`: packages the build, inspects the packages and starts one. */
export default defineConfig({
  testDir: 'check',
  outputDir: '../test-results/packages',
  // The packages are made once.
  workers: 1,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 90_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/packages.json' }]],
});
