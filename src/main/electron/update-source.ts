import type { UpdateSource } from '../ports.ts';

/** Defined at build time (electron.vite.config.ts). */
declare const COFFER_UPDATE_SOURCE: UpdateSource | null;

export const updateSource = COFFER_UPDATE_SOURCE;
