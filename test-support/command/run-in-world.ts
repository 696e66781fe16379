import type { World } from './command-world.ts';
import { startInMemory } from './in-process.ts';

interface Ran {
  readonly code: number;
  /** Its lines, sorted: transfers end in any order. */
  readonly stdout: string[];
  readonly stderr: string;
}

/** Runs `coffer WORDS` in pipes. */
export async function coffer({ files, env }: World, ...words: string[]): Promise<Ran> {
  const running = startInMemory(words, { cwd: files, env });
  running.end();
  const code = await running.ended;
  return { code, stdout: running.stdout().split('\n').slice(0, -1).toSorted(), stderr: running.stderr() };
}

/** The identifiers of all stored versions. */
export async function identifiersOf(world: World): Promise<string[]> {
  const { services } = await world.call('services.list', undefined);
  const query = {
    serviceId: services[0]?.id ?? '',
    kind: 'data',
    place: { kind: 'all' },
    search: '',
    allVersions: true,
    sort: { column: 'identifier', direction: 'ascending' },
  } as const;
  const { rows } = await world.call('objects.page', { query, offset: 0, limit: 100 });
  return rows.filter(({ state }) => state === 'stored').map(({ identifier }) => identifier);
}
