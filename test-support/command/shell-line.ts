/** A command of a line for the shell. */
export type Stage =
  | { readonly kind: 'shell'; readonly text: string }
  | ({
      readonly kind: 'coffer';
      readonly words: readonly string[];
      readonly env: NodeJS.ProcessEnv;
    } & Redirects);

interface Redirects {
  /** File names as written. */
  readonly from: string | null;
  readonly to: string | null;
}

export type Pipeline = readonly Stage[];

/**
 * Splits a line of shell into the invocations of `coffer` and the text between them. Supports the syntax used in
 * transcripts: quotes, variables, redirections, pipes and lists.
 * @throws for anything else
 */
export function parseLine(line: string, env: NodeJS.ProcessEnv): Pipeline[] {
  return split(line, ';').map((pipeline) => {
    const stages: Stage[] = [];
    for (const text of split(pipeline, '|')) {
      const stage = parseStage(text.trim(), env);
      const last = stages.at(-1);
      // Adjacent shell parts are joined.
      if (stage.kind === 'shell' && last?.kind === 'shell')
        stages.splice(-1, 1, { kind: 'shell', text: `${last.text} | ${stage.text}` });
      else stages.push(stage);
    }
    return stages;
  });
}

/** Splits at each mark outside of quotes. */
function split(text: string, mark: string): string[] {
  const parts = [''];
  for (const [piece] of text.matchAll(/'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^]/g)) {
    if (piece === mark) parts.push('');
    else parts.splice(-1, 1, (parts.at(-1) ?? '') + piece);
  }
  return parts;
}

const word = /\s*((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+)/g;

function parseStage(text: string, env: NodeJS.ProcessEnv): Stage {
  const words = [...text.matchAll(word)].map(([, found = '']) => found);
  const own: NodeJS.ProcessEnv = {};
  for (let [, name, value = ''] = assigned(words); name; [, name, value = ''] = assigned(words)) {
    own[name] = unquote(value, env);
    words.shift();
  }
  if (words.shift() !== 'coffer') return { kind: 'shell', text };
  const redirects: { from: string | null; to: string | null } = { from: null, to: null };
  const given: string[] = [];
  while (words.length > 0) {
    const next = words.shift() ?? '';
    if (next === '<') redirects.from = unquote(words.shift() ?? '', env);
    else if (next === '>') redirects.to = unquote(words.shift() ?? '', env);
    else if (/^[^'"]*[<>&]/.test(next)) throw new Error(`not known here: ${next}`);
    else given.push(unquote(next, env));
  }
  return { kind: 'coffer', words: given, env: own, ...redirects };
}

function assigned([first = '']: readonly string[]): readonly string[] {
  return /^([A-Za-z_]\w*)=([^]*)$/.exec(first) ?? [];
}

/** Removes quotes and expands variables. */
function unquote(text: string, env: NodeJS.ProcessEnv): string {
  const expand = (part: string) => part.replaceAll(/\$(\w+)/g, (_, name: string) => env[name] ?? '');
  return text.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^'"\\]+)/g, (_, ...groups: string[]) => {
    const [single, double, escaped, bare] = groups;
    if (single !== undefined) return single;
    if (escaped !== undefined) return escaped;
    // In double quotes, a backslash is literal before most characters.
    return expand(double?.replaceAll(/\\(["\\$`])/g, '$1') ?? bare ?? '');
  });
}
