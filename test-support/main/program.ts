import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import type {} from './test-setup.ts';

/** The file to start a program of the tests from: its bundle, or its source while Vitest watches. @param source from the project's folder */
export function programFile(source: string): string {
  const { href } = new URL(`../../${source}`, import.meta.url);
  return fileURLToPath(inject('bundles')[href] ?? href);
}
