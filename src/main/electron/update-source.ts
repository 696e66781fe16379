import type { UpdateSource } from '../updates/updates.ts';

/** Written in when Coffer is built (electron.vite.config.ts). */
declare const COFFER_UPDATE_SOURCE: UpdateSource | null;

export const updateSource = COFFER_UPDATE_SOURCE;
