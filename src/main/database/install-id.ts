import { randomUUID } from 'node:crypto';
import type { Documents } from './documents.ts';

/** Of this data folder, made once: another Coffer may download into the same folder. */
export async function openInstallId(documents: Pick<Documents, 'get' | 'put'>): Promise<string> {
  const known = await documents.get('engine', 'installId');
  if (typeof known === 'string') return known;
  const made = randomUUID();
  await documents.put('engine', 'installId', made);
  return made;
}
