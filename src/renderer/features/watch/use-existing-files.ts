import { useEffect, useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import { badPatterns } from '../../../shared/domain/watch.ts';
import type { AppError } from '../../../shared/errors.ts';
import { useClient } from '../../app/client.ts';
import { asAppError } from '../../app/remote-store.ts';
import { patternsOf } from './watch-form.ts';

/** Delay in ms after the last keystroke before files are counted again. */
const typedMs = 300;

/** Counts the files of a folder before it is watched. null: not counted yet, or no folder. */
export function useExistingFiles(
  serviceId: string,
  grant: string | null,
  ignore: string,
): { existing: Output<'watch.inspect'> | null; error: AppError | null } {
  const client = useClient();
  const [found, setFound] = useState<{
    for: string;
    existing: Output<'watch.inspect'> | null;
    error: AppError | null;
  } | null>(null);
  const patterns = JSON.stringify(patternsOf(ignore));
  const wanted = `${grant ?? ''} ${patterns}`;
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      const parsed = JSON.parse(patterns) as string[];
      if (grant === null || badPatterns(parsed).length > 0) return;
      client.call('watch.inspect', { serviceId, grant, ignore: parsed }).then(
        (existing) => {
          if (isCurrent) setFound({ for: wanted, existing, error: null });
        },
        (cause: unknown) => {
          if (isCurrent) setFound({ for: wanted, existing: null, error: asAppError(cause) });
        },
      );
    }, typedMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [client, serviceId, grant, patterns, wanted]);
  return found?.for === wanted ? found : { existing: null, error: null };
}
