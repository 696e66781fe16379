import type * as keytarModule from 'keytar';

/** What is used of the module. */
export type Keytar = Pick<(typeof keytarModule)['default'], 'getPassword' | 'setPassword' | 'deletePassword'>;

/** Loaded at the first use: without libsecret it cannot load, and that must not end the start. */
export const loadKeytar = async (): Promise<Keytar> => (await import('keytar')).default;
