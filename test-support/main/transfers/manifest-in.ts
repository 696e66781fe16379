import { beginsLikeManifest, type Manifest } from '../../../src/main/transfers/parts/manifest.ts';

/** Reads a manifest without verifying it; null: the text is no manifest. */
export function manifestIn(text: string | Uint8Array): Omit<Manifest, 'base'> | null {
  const bytes = Buffer.from(text);
  return beginsLikeManifest(bytes) ? (JSON.parse(bytes.toString()) as Omit<Manifest, 'base'>) : null;
}
