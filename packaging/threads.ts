import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { parsedMessages } from './message-plugin.ts';

/** The threads of the main process and of the command, by the name of their bundle. */
export const threadEntries = {
  'database-worker': 'src/main/storage/worker.ts',
  'digest-worker': 'src/main/local-files/digest-worker.ts',
  'local-service': 'src/local-service/worker.ts',
  'read-worker': 'src/main/local-files/read-worker.ts',
  'team-worker': 'src/main/team/wire/worker.ts',
  'temporary-file-worker': 'src/main/local-files/temporary-file-worker.ts',
};

/**
 * Bundles the threads as CommonJS, which Electron's own test starts from an archive (spec/asar-spec.ts, worker_threads.asar). No test
 * shows that an ES module starts from `app.asar` as a thread, and without its threads Coffer does not start.
 */
export function bundleThreads(root: string): Promise<Rolldown.OutputChunk[]> {
  return bundle(root, threadEntries, 'cjs');
}

/** Bundles a program for Node, with everything it imports. */
export async function bundle(
  root: string,
  entries: Readonly<Record<string, string>>,
  format: 'cjs' | 'mjs',
): Promise<Rolldown.OutputChunk[]> {
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [parsedMessages()],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'node24',
      rolldownOptions: {
        external: ['keytar'],
        input: Object.fromEntries(
          Object.entries(entries).map(([name, source]) => [name, join(root, source)]),
        ),
        output: {
          format: format === 'cjs' ? 'cjs' : 'es',
          entryFileNames: `[name].${format}`,
          chunkFileNames: `[name]-[hash].${format}`,
        },
      },
    },
  })) as Rolldown.RolldownOutput;
  return output.filter((each) => each.type === 'chunk');
}

/** Puts the bundles of the threads beside the main one. */
export function threads(): Plugin {
  let root = '';
  let chunks: Rolldown.OutputChunk[] = [];
  return {
    name: 'coffer-threads',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    async buildStart() {
      chunks = await bundleThreads(root);
      for (const id of chunks.flatMap(({ moduleIds }) => moduleIds))
        if (id.startsWith(root)) this.addWatchFile(id);
    },
    generateBundle() {
      for (const { fileName, code } of chunks) this.emitFile({ type: 'asset', fileName, source: code });
    },
  };
}
