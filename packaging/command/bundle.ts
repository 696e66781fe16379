import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const root = join(import.meta.dirname, '..', '..');
const built = join(root, 'out', 'main');

/** The keychain's module is a shared library, which the system cannot load from inside a program. */
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

/**
 * The program's modules by name, each as the body of a CommonJS module: the command, whose build (`out/main`) is converted
 * here, and the threads, which are CommonJS already.
 */
export async function bundleCommand(): Promise<Map<string, string>> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const { output } = (await build({
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
        input: { command: join(built, 'command.js') },
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' },
      },
    },
  })) as Rolldown.RolldownOutput;
  const command = output
    .filter((each) => each.type === 'chunk')
    .map(({ fileName, code }) => [fileName, code] as const);
  const threads = readdirSync(built)
    .filter((name) => name.endsWith('.cjs'))
    .map((name) => [name, readFileSync(join(built, name), 'utf8')] as const);
  return new Map(
    [...command, ...threads].map(([name, code]) => [
      name,
      `(function (exports, require, module, __filename, __dirname) {${code}\n})`,
    ]),
  );
}
