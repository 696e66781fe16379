export interface Variable {
  readonly name: string;
  readonly value: string;
  /** 1-based. */
  readonly line: number;
}

export interface EnvFile {
  readonly variables: readonly Variable[];
  readonly problems: readonly { readonly line: number; readonly problem: EnvProblem }[];
}

type EnvProblem = 'form' | 'quote' | 'null';

const assignment = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*/;
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };

/**
 * Parses `NAME=value` lines of a `.env` file: optional `export`, comments, single and double quotes, quoted values over several lines.
 * A backslash escapes in double quotes; nothing is expanded. The last value of a name wins.
 */
export function parseEnvFile(text: string): EnvFile {
  const variables: Variable[] = [];
  const problems: { line: number; problem: EnvProblem }[] = [];
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const content = lines[index] ?? '';
    const line = index + 1;
    if (/^[ \t]*(#|$)/.test(content)) continue;
    if (content.includes('\0')) {
      problems.push({ line, problem: 'null' });
      continue;
    }
    const [begin, name] = assignment.exec(content) ?? [];
    if (begin === undefined || name === undefined) {
      problems.push({ line, problem: 'form' });
      continue;
    }
    const rest = content.slice(begin.length);
    const quote = rest.at(0);
    if (quote !== '"' && quote !== "'") {
      variables.push({ name, value: rest.replace(/(^|[ \t]+)#.*$/, '').trimEnd(), line });
      continue;
    }
    const quoted = readQuoted([rest.slice(1), ...lines.slice(index + 1)].join('\n'), quote);
    if (!quoted || !/^[ \t]*(#.*)?$/.test(quoted.after)) {
      problems.push({ line, problem: 'quote' });
      continue;
    }
    variables.push({ name, value: quoted.value, line });
    index += quoted.lines;
  }
  return { variables, problems };
}

/** @param text after the opening quote. Returns null if the quote is not closed. */
function readQuoted(text: string, quote: '"' | "'"): { value: string; after: string; lines: number } | null {
  let value = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === quote) {
      const [after = ''] = text.slice(at + 1).split('\n');
      return { value, after, lines: text.slice(0, at).split('\n').length - 1 };
    }
    if (quote === '"' && character === '\\') {
      const next = text.charAt(at + 1);
      value += escapes[next] ?? `\\${next}`;
      at += 1;
    } else value += character;
  }
  return null;
}
