import { AppFailure } from '../shared/app-failure.ts';
import type { AppErrorOf } from '../shared/errors.ts';
import type { Edits } from './edits/edits.ts';
import type { Engine } from './transfers/engine.ts';
import type { UndoCopies } from './transfers/undo/undo-copies.ts';

type Work = AppErrorOf<'serviceUnfinished'>['work'][number];

/** How many identifiers an error names. */
const maxNamed = 5;

/**
 * Refuses to remove a service while something of it exists only on this computer, or at the service under an identifier
 * that only its transfer knows.
 */
export function createFinishedCheck(deps: {
  engine: Pick<Engine, 'halfReplacedOf' | 'unsentSecretsOf'>;
  undoCopies: Pick<UndoCopies, 'onlyHere'>;
  edits: Pick<Edits, 'unsavedOf'>;
}): (serviceId: string) => Promise<void> {
  const { engine, undoCopies, edits } = deps;
  /** @throws AppFailure serviceUnfinished */
  return async (serviceId) => {
    const replaces = await engine.halfReplacedOf(serviceId);
    const work = [
      named(
        'replace',
        replaces.map(({ identifier }) => identifier),
        replaces.flatMap(({ copies }) => copies),
      ),
      named('undo', await undoCopies.onlyHere(serviceId)),
      named('edit', edits.unsavedOf(serviceId)),
      named('secret', await engine.unsentSecretsOf(serviceId)),
    ].filter(({ count }) => count > 0);
    if (work.length > 0) throw new AppFailure({ code: 'serviceUnfinished', work });
  };
}

function named(what: Work['what'], identifiers: readonly string[], copies: readonly string[] = []): Work {
  const shown = identifiers.slice(0, maxNamed);
  return { what, identifiers: shown, count: identifiers.length, copies: copies.slice(0, maxNamed) };
}
