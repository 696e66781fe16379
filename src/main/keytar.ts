import type * as keytarModule from 'keytar';

export type Keytar = Pick<(typeof keytarModule)['default'], 'getPassword' | 'setPassword' | 'deletePassword'>;

/** Loaded when first used: loading fails without libsecret, which must not prevent the start. */
export const loadKeytar = async (): Promise<Keytar> => (await import('keytar')).default;
