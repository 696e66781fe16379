import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { Misread } from '../terminal/io.ts';

const replacement = '\uFFFD';

/** Compares what Node has decoded with the bytes of proc(5), where there is a character that it may have put in their place. */
export function findMisread(args: readonly string[], env: NodeJS.ProcessEnv): Misread {
  const words = args.some(hasReplacement) ? wordsOf('cmdline').slice(-args.length) : [];
  const variables = Object.entries(env).some((each) => each.some(hasReplacement)) ? wordsOf('environ') : [];
  return {
    args: words.flatMap((word, index) => (isUtf8(word) ? [] : [index])),
    variables: variables.flatMap((each) => (isUtf8(each) ? [] : (each.toString().split('=')[0] ?? []))),
  };
}

function hasReplacement(text: string | undefined): boolean {
  return text?.includes(replacement) ?? false;
}

/** Parts of a file in proc(5), each of which ends with NUL; none on other systems. */
function wordsOf(name: 'cmdline' | 'environ'): Buffer[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(`/proc/self/${name}`);
  } catch {
    return [];
  }
  const words: Buffer[] = [];
  for (let from = 0, end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, from)) {
    words.push(bytes.subarray(from, end));
    from = end + 1;
  }
  return words;
}
