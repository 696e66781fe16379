import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Documents } from '../../database/documents.ts';
import { openCollection } from '../../database/collection.ts';
import type { Log } from '../../ports.ts';
import type { Manifest } from './manifest.ts';
import { readManifest } from './read-manifest.ts';

/**
 * Manifests that a Replace removed from their objects and keeps for Undo: sealed in the vault, and beside the object
 * on the service, where they go on naming their parts.
 */
const undoManifestSchema = z.object({
  /** Name in the vault. */
  file: z.string(),
  serviceId: z.string(),
  origin: z.string(),
  /** The object's. */
  identifier: z.string(),
  /** The identifier of the manifest now. */
  beside: z.string(),
  /**
   * This Replace may have deleted it from the object, so its parts go with it. Otherwise another manifest there may name
   * them, or an Undo has stored it there again.
   */
  isReplaced: z.boolean(),
  text: z.string(),
});
type UndoManifestDocument = z.infer<typeof undoManifestSchema>;
export type UndoManifest = Readonly<UndoManifestDocument> & {
  readonly manifest: Manifest;
  readonly sha256: string;
};

export interface UndoManifests {
  /** null: this undo copy is no manifest. */
  of(file: string): UndoManifest | null;
  all(): UndoManifest[];
  /** Durable when it resolves. @param manifest the parsed text */
  put(list: UndoManifestDocument, manifest: Manifest): Promise<void>;
  /** Notes that its DELETE may have been sent. Durable when it resolves. Does nothing when the undo copy is no manifest. */
  noteReplaced(file: string): Promise<void>;
  /** Notes that it was not deleted by us, or that an Undo has stored it again: its parts are the object's. As `noteReplaced`. */
  noteRestored(file: string): Promise<void>;
  /** Durable when it resolves. */
  forget(file: string): Promise<void>;
}

export async function openUndoManifests(documents: Documents, log: Log): Promise<UndoManifests> {
  const lists = new Map<string, UndoManifest>();
  const onBroken = (key: string) => log.error('a kept list of parts cannot be read', { key });
  const stored = await openCollection(documents, 'undoManifests', undoManifestSchema, onBroken);
  for (const [key, document] of stored.entries()) {
    const reading = await readManifest(Buffer.from(document.text), document.identifier);
    if (reading.kind === 'manifest') hold(document, reading.manifest);
    else onBroken(key);
  }

  function hold(document: UndoManifestDocument, manifest: Manifest): void {
    lists.set(document.file, { ...document, manifest, sha256: hash('sha256', document.text, 'hex') });
  }

  async function setReplaced(file: string, isReplaced: boolean): Promise<void> {
    const list = lists.get(file);
    if (!list) return;
    const { manifest, sha256: _, ...document } = { ...list, isReplaced };
    await stored.set(file, document);
    hold(document, manifest);
  }

  return {
    of: (file) => lists.get(file) ?? null,
    all: () => [...lists.values()],
    async put(document, manifest) {
      await stored.set(document.file, document);
      hold(document, manifest);
    },
    noteReplaced: (file) => setReplaced(file, true),
    noteRestored: (file) => setReplaced(file, false),
    async forget(file) {
      await stored.delete(file);
      lists.delete(file);
    },
  };
}
