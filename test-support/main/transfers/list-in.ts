import { beginsLikeManifest, type Manifest } from '../../../src/main/transfers/chunks/manifest.ts';

/** What a list of parts says, believed as it is; null: it is none. */
export function listIn(text: string | Uint8Array): Omit<Manifest, 'base'> | null {
  const bytes = Buffer.from(text);
  return beginsLikeManifest(bytes) ? (JSON.parse(bytes.toString()) as Omit<Manifest, 'base'>) : null;
}
