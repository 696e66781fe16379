import { randomUUID } from 'node:crypto';
import type { Documents } from './documents.ts';

/** Identifies this data folder, because another Coffer may download into the same folder. Created once. */
export async function openInstallId(documents: Pick<Documents, 'get' | 'put'>): Promise<string> {
  const known = await documents.get('engine', 'installId');
  if (typeof known === 'string') return known;
  const made = randomUUID();
  await documents.put('engine', 'installId', made);
  return made;
}
