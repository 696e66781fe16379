import { BadFile, formatVersion, headerSchema, type ReadLine } from './format.ts';
import { splitLines } from './split-lines.ts';

export async function* readJsonLines(path: string): AsyncGenerator<ReadLine> {
  let line = 0;
  for await (const { text } of splitLines(path)) {
    line += 1;
    const value = text === null ? undefined : parseJson(text);
    if (line === 1) {
      const header = headerSchema.safeParse(value);
      if (!header.success) throw new BadFile('notAList');
      if (header.data.cofferCatalogue !== formatVersion) throw new BadFile('newer');
    } else if (text === null) yield { line, problem: { code: 'tooLong' } };
    else if (value === undefined) {
      if (text.trim() !== '') yield { line, problem: { code: 'notJson' } };
    } else yield { line, value };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
