import type { startTeamThread } from '../../../src/main/team/team-thread.ts';
import { createTeamServer } from '../../../src/main/team/wire/server.ts';

/** On this thread, as that of its own takes longer to start than a test. */
export const startHere: typeof startTeamThread = (onEvent) => {
  const server = createTeamServer(onEvent);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const nowhere = {
    host: '127.0.0.1',
    port: 1,
    database: 'x',
    role: 'x',
    authority: null,
    clientCertificate: null,
  };
  return {
    server,
    ended,
    async terminate() {
      end();
      await server.open(nowhere, { password: null, passphrase: null }, null);
    },
  };
};
