import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One more than there are cores: tests wait for disks, clocks and other processes.
    maxWorkers: availableParallelism() + 1,
    // Node strips types with WebAssembly, in each thread anew. V8 frees the wrappers of calls to it that it has made faster, while
    // another thread may still look for them, and crashes ("Check failed: jit_page.has_value()"): it is not to make them faster.
    execArgv: ['--wasm-wrapper-tiering-budget=1000000000'],
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
