import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const root = join(import.meta.dirname, '..', '..');

/** The command and the entries of its threads, in `out/main`. */
const entries = [
  'command',
  'database-worker',
  'digest-worker',
  'read-worker',
  'temporary-file-worker',
  'local-service',
];

/** What the program requires of itself. The keychain's module is a shared library, which the system cannot load from a program. */
const keychain: Plugin = {
  name: 'coffer-keychain',
  enforce: 'pre',
  resolveId: (id) => (id === 'keytar' ? '\0keytar' : null),
  load: (id) =>
    id === '\0keytar'
      ? `import { createRequire } from 'node:module';
         export default createRequire(process.execPath)('./keytar.node');`
      : null,
};

/** The modules of the program, by name: the build (`out/main`) as CommonJS, each in a function of what such a module sees. */
export async function bundleCommand(): Promise<Map<string, string>> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const built = (await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [keychain],
    define: { COFFER_VERSION: JSON.stringify(version) },
    ssr: { noExternal: true },
    build: {
      ssr: true,
      write: false,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((name) => [name, join(root, 'out', 'main', `${name}.js`)])),
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' },
      },
    },
  })) as Rolldown.RolldownOutput;
  const chunks = built.output.filter((each) => each.type === 'chunk');
  return new Map(
    chunks.map(({ fileName, code }) => [
      fileName,
      `(function (exports, require, module, __filename, __dirname) {${code}\n})`,
    ]),
  );
}
