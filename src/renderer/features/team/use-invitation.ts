import { useEffect, useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import { useClient } from '../../app/client.ts';
import { asAppError } from '../../app/remote-store.ts';

type Read = { of: string; says: Output<'team.readInvitation'> | null; error: AppError | null };

/** The parsed invitation; both null until it is parsed, and for an empty one. Contacts no server. */
export function useInvitation(invitation: string): Omit<Read, 'of'> {
  const client = useClient();
  const [read, setRead] = useState<Read | null>(null);
  useEffect(() => {
    if (invitation === '') return undefined;
    let isCurrent = true;
    const set = (of: Omit<Read, 'of'>) => isCurrent && setRead({ of: invitation, ...of });
    client.call('team.readInvitation', { invitation }).then(
      (says) => set({ says, error: null }),
      (cause: unknown) => set({ says: null, error: asAppError(cause) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, invitation]);
  return read?.of === invitation ? read : { says: null, error: null };
}
