import { parseJson } from '../../lib/json.ts';
import { BadFile, formatVersion, headerSchema, type ReadLine } from './format.ts';
import { splitLines, type Reading } from './split-lines.ts';

/** Yields batches of lines. */
export async function* readJsonLines(path: string, reading: Reading): AsyncGenerator<ReadLine[]> {
  let line = 0;
  for await (const some of splitLines(path, reading)) {
    const read: ReadLine[] = [];
    for (const { text } of some) {
      line += 1;
      const value = text === null ? undefined : parseJson(text);
      if (line === 1) requireHeader(value);
      else if (text === null) read.push({ line, problem: { code: 'tooLong' } });
      else if (value !== undefined) read.push({ line, value });
      else if (text.trim() !== '') read.push({ line, problem: { code: 'notJson' } });
    }
    yield read;
  }
}

function requireHeader(value: unknown): void {
  const header = headerSchema.safeParse(value);
  if (!header.success) throw new BadFile('notAList');
  if (header.data.cofferCatalogue !== formatVersion) throw new BadFile('newer');
}
