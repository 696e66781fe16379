import { createContext, useContext } from 'react';
import type { ObjectRow } from '../../../shared/contract.ts';
import type { SecretReads } from './use-secret-reads.ts';

/** State and actions that the rows share. */
export type SecretList = Omit<SecretReads, 'saveAs'> & {
  /** Shows the warning first. */
  askToSave: (row: ObjectRow) => void;
  /** A press on a part of a row also selects the row. */
  aim: (index: number) => void;
};

const SecretListContext = createContext<SecretList | null>(null);
export const SecretListProvider = SecretListContext.Provider;

export function useSecretList(): SecretList {
  const list = useContext(SecretListContext);
  if (list === null) throw new Error('A component needs a SecretListProvider above it');
  return list;
}
