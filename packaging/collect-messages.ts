import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { registeredMessages } from '../src/shared/i18n/messages.ts';

export type SourceMessage = {
  key: string;
  /** English. */
  text: string;
  /** Relative to the root, with slashes. */
  file: string;
  /** The comment above the declaration, for translators. */
  about: string | null;
};

const root = join(import.meta.dirname, '..');

/** All messages of the window and of the packages, by file and line. The command line is English only: scripts parse its output. */
export async function collectMessages(): Promise<readonly SourceMessage[]> {
  const files = globSync('{src,packaging}/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('src/command/'))
    .sort();
  const found: SourceMessage[] = [];
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8');
    const areas = [
      ...source.matchAll(/(?:\/\*\*([^*]*)\*\/\n)?(?:export )?const \w+ = messages\(\s*'(\w+)'/g),
    ];
    if (areas.length === 0) continue;
    await import(pathToFileURL(join(root, file)).href);
    for (const [, comment, area] of areas) {
      for (const [key, text] of registeredMessages())
        if (key.startsWith(`${area}.`)) found.push({ key, text, file, about: comment?.trim() ?? null });
    }
  }
  return found;
}
