import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Otherwise one core of two has nothing to do.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // V8 loses count of the pages that hold WebAssembly when threads come and go ("Check failed: jit_page.has_value()"),
    // and Node strips types with WebAssembly in each of them.
    execArgv: ['--no-memory-protection-keys'],
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'src/{shared,main,local-service,preload}/**/*.test.ts',
            '{chromium-shell,packaging}/**/*.test.ts',
            'scripts/*.test.js',
          ],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'components',
          environment: 'jsdom',
          include: ['src/renderer/**/*.test.{ts,tsx}'],
          setupFiles: ['src/renderer/test-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
