import type { startTeamThread } from '../../../src/main/team/team-thread.ts';
import { createTeamServer } from '../../../src/main/team/wire/server.ts';

/** Runs the server on this thread: starting a thread takes longer than a test. */
export const startHere: typeof startTeamThread = (onEvent) => {
  const server = createTeamServer(onEvent);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  return {
    server,
    ended,
    async terminate() {
      end();
      await server.close();
    },
  };
};
