import { measureMillion } from './window/million.ts';

/**
 * What a person waits for in the real window (what was built, in Chromium). Arguments: rows of the list (1,000,000).
 */
export async function run([rows = '1000000']: string[]): Promise<void> {
  await measureMillion(Number(rows));
}
