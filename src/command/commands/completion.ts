import { inOneLine } from '../../shared/domain/legible.ts';
import type { Command } from 'commander';
import { chooseService, type RunAlone } from '../context.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { openCoffer } from '../engine/open-coffer.ts';
import { scriptFor, type Shell } from '../completion/completion-scripts.ts';
import { wordsAt, type Wanted } from '../completion/complete.ts';

/** `coffer completion bash|zsh|fish|pwsh`: prints a script for the shell. */
export function completion(shell: Shell): RunAlone {
  return async ({ output }) => {
    output.result(scriptFor(shell), { shell, script: scriptFor(shell) });
    return exitCodes.done;
  };
}

const maxNames = 200;

/**
 * Called by the scripts: prints the candidates for the last of `words`, one per line. `:files` and `:programs` tell the shell to complete
 * them itself. Prints nothing on failure: Tab must not show errors.
 */
export function complete(program: Command, words: readonly string[]): RunAlone {
  return async ({ io, dataFolder, version, output }) => {
    const { candidates, wanted, service } = wordsAt(program, words);
    const typed = words.at(-1) ?? '';
    // A name with line breaks would be offered as several names.
    const tell = (word: string) => {
      if (word === inOneLine(word)) output.result(word, { word });
    };
    for (const candidate of candidates) if (candidate.startsWith(typed)) tell(candidate);
    if (wanted === 'files' || wanted === 'programs') {
      tell(`:${wanted}`);
      return exitCodes.done;
    }
    if (wanted === null) return exitCodes.done;
    try {
      const { coffer } = await openCoffer(dataFolder, version, io);
      try {
        for (const name of await namesOf(coffer, wanted, typed, service)) tell(name);
      } finally {
        await coffer.close();
      }
    } catch {
      return exitCodes.error;
    }
    return exitCodes.done;
  };
}

type Coffer = Awaited<ReturnType<typeof openCoffer>>['coffer'];

async function namesOf(
  coffer: Coffer,
  wanted: Exclude<Wanted, 'files' | 'programs'>,
  typed: string,
  serviceName: string | undefined,
): Promise<string[]> {
  const list = await coffer.call('services.list', undefined);
  if (wanted === 'services')
    return list.services.map(({ name }) => name).filter((name) => name.startsWith(typed));
  const { id: serviceId, separator } = chooseService(list, serviceName);
  const end = typed.lastIndexOf(separator);
  const parent = end < 0 ? '' : typed.slice(0, end);
  const isSecret = wanted === 'secrets';
  // Only data objects have folders; secrets are completed by their whole identifier.
  const { folders } = isSecret
    ? { folders: [] }
    : await coffer.call('objects.folders', { serviceId, parent });
  const below = folders.map(({ path }) => path + separator).filter((path) => path.startsWith(typed));
  if (wanted === 'folders') return below;
  const top = { kind: isSecret ? 'all' : 'unfiled' } as const;
  const place = parent === '' ? top : ({ kind: 'folder', path: parent } as const);
  const sort = { column: 'identifier', direction: 'ascending' } as const;
  // The search only narrows the page; the exact prefix is checked below.
  const name = typed.slice(end < 0 ? 0 : end + separator.length);
  const search = name === '' || name.includes('"') ? '' : `"${name}"`;
  const query = { serviceId, kind: isSecret ? 'secret' : 'data', place, search, sort } as const;
  const { rows } = await coffer.call('objects.page', { query, offset: 0, limit: maxRows });
  const here = rows
    .map(({ identifier }) => identifier)
    .filter((identifier) => identifier.startsWith(typed))
    .filter((identifier) => isSecret || !identifier.slice(end + separator.length).includes(separator));
  return [...below, ...here].slice(0, maxNames);
}

const maxRows = 500;
