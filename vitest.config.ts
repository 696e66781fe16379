import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { sep } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const forNode = [
  'src/{shared,main,local-service,preload,command}/**/*.test.ts',
  '{chromium-shell,packaging}/**/*.test.ts',
  'scripts/*.test.js',
];
const forWindow = ['src/renderer/**/*.test.{ts,tsx}'];

/**
 * Test files share their process, and what is loaded in it: starting anew for each file took a third of all the time.
 * So a helper cleans up with `onTestFinished`: an `afterEach` of its own would hold for the first file that loads it.
 * Files that put other modules in the place of real ones share theirs with each other only, and each of them loads the sources anew.
 * Files that stop the clock, too, share theirs with each other only: a stopped clock waits for all that its process asks of files.
 */
const mocks = /\bvi\.(mock|doMock|resetModules)\(/;
const stopsClock = /\/(virtual-clock|world|random-world|random-shared-world|edit-world|random-edits)\.ts'/;

function projectsOf(
  name: string,
  include: string[],
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration[] {
  const files = globSync(include).map((file) => file.replaceAll(sep, '/'));
  const having = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(file, 'utf8')));
  const replacing = having(mocks);
  const stopped = having(stopsClock).filter((file) => !replacing.includes(file));
  const common = {
    ...test,
    isolate: false,
    // Guards against hanging alone: on a machine with much else to do a test of a quarter of a minute takes four times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 10 } },
  };
  return [
    { test: { ...common, name, include, exclude: [...replacing, ...stopped] } },
    ...(stopped.length > 0
      ? [{ test: { ...common, name: `${name}, clock stopped`, include: stopped } }]
      : []),
    {
      test: {
        ...common,
        name: `${name}, modules replaced`,
        include: replacing,
        setupFiles: ['test-support/fresh-modules.ts', ...[test?.setupFiles ?? []].flat()],
        sequence: { setupFiles: 'list' },
      },
    },
  ];
}

const isLong = ({ moduleId }: TestSpecification) => /\/(worlds|chunks|command)\//.test(moduleId);

/**
 * Runs the folders of long tests first: what runs long at the end of a project runs alone. On a fresh clone Vitest only knows the sizes of
 * the files, and some of the longest tests are a few lines.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...byProject.values()].flatMap((each) => [
      ...each.filter(isLong),
      ...each.filter((file) => !isLong(file)),
    ]);
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFilesFirst },
    tags: [
      {
        name: 'all',
        description:
          'Only in `npm run test:all`: shows once more, with more or real parts, what a faster test of `npm test` shows',
      },
    ],
    // Not in node_modules, which the packager reads meanwhile.
    fsModuleCachePath: '.vitest-cache',
    // Two more than there are cores: tests wait for disks, clocks and other processes.
    maxWorkers: availableParallelism() + 2,
    // Node strips types with WebAssembly, in each thread anew. V8 frees the wrappers of calls to it that it has made faster, while
    // another thread may still look for them, and crashes ("Check failed: jit_page.has_value()"): it is not to make them faster.
    // The heap begins as large as it becomes: from a few MB upwards V8 would collect garbage for a tenth of all the time.
    execArgv: [
      '--wasm-wrapper-tiering-budget=1000000000',
      '--initial-old-space-size=256',
      '--min-semi-space-size=16',
      // Little runs long enough here to be worth optimizing: the simple compiler alone takes an eighth less in tests of components and
      // of transfers, and nothing more in worlds.
      '--always-sparkplug',
      '--no-turbofan',
    ],
    globalSetup: ['packaging/threads-of-tests.ts'],
    projects: [
      ...projectsOf('node', forNode, {
        environment: 'node',
        setupFiles: ['test-support/main/test-setup.ts'],
      }),
      ...projectsOf('components', forWindow, {
        environment: 'jsdom',
        setupFiles: ['test-support/renderer/test-setup.ts'],
      }),
    ],
  },
});
