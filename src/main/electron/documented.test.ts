import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs', 'electron.md'), 'utf8');

/** The calls to Electron's modules and classes in a source file, such as `app.setPath` and `new Tray`. */
function callsIn(source: string): string[] {
  const imported = [...source.matchAll(/import \{([^}]*)\} from 'electron'/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
  return imported
    .filter((name) => name !== '' && !name.startsWith('type '))
    .flatMap((name) => {
      const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'[^']*'|`[^`]*`/g, '');
      const members = String.raw`(?:\.(?:defaultSession|commandLine))?\.\w+`;
      return code.match(new RegExp(String.raw`(?<![\w.])(?:new ${name}\b|${name}${members})`, 'g')) ?? [];
    });
}

test("docs/electron.md names every call of Electron's interface", () => {
  const files = ['src/main', 'src/preload'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const sources = files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const calls = new Set(sources.flatMap((name) => callsIn(readFileSync(join(root, name), 'utf8'))));
  expect(calls.size).toBeGreaterThan(40);
  const missing = [...calls].filter(
    (call) => !page.includes(`\`${call}`) && call !== 'session.defaultSession',
  );
  expect(missing).toEqual([]);
});
