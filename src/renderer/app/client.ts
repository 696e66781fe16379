import { createContext, useContext } from 'react';
import { z } from 'zod';
import type { Bridge, GrantReply } from '../../shared/bridge.ts';
import {
  events,
  schemasOf,
  type EventName,
  type EventPayload,
  type Input,
  type Output,
  type ProcedureName,
} from '../../shared/contract.ts';
import { appErrorSchema } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';

export type Client = {
  /** @throws AppFailure, never anything else */
  call<N extends ProcedureName>(
    name: N,
    ...input: undefined extends Input<N> ? [] : [input: Input<N>]
  ): Promise<Output<N>>;
  /** @returns unsubscribes */
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): () => void;
  /** Turns dropped, pasted or chosen files into grants; the page never sees a path. */
  grantFiles(files: File[]): Promise<GrantReply>;
  /** Lets the system drag the files of the last `takeOut.start`. */
  startDrag(): void;
  /** Memory of the page's process, its threads' included, in bytes. */
  memoryBytes(): Promise<number>;
};

const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: appErrorSchema }),
]);

/** The typed client of `window.coffer`; validates everything received against the contract. */
export function createClient(bridge: Bridge<File>): Client {
  // Each listener of the bridge gets each event anew from the process of the preload script, so there is one.
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  bridge.on((name, payload) => {
    for (const listener of listeners.get(name) ?? []) listener(payload);
  });
  return {
    async call(name, ...[input]) {
      const reply = replySchema.safeParse(await bridge.call(name, input));
      if (!reply.success) throw new AppFailure({ code: 'unexpected', reference: `window/${name}` });
      if (!reply.data.ok) throw new AppFailure(reply.data.error);
      const value = schemasOf(name).output.safeParse(reply.data.value);
      if (!value.success) throw new AppFailure({ code: 'unexpected', reference: `window/${name}` });
      return value.data as Output<typeof name>;
    },
    on(event, listener) {
      const own = (payload: unknown) => {
        const parsed = events[event].safeParse(payload);
        if (parsed.success) listener(parsed.data as EventPayload<typeof event>);
      };
      const all = listeners.get(event) ?? new Set();
      listeners.set(event, all.add(own));
      return () => void all.delete(own);
    },
    grantFiles: (files) => bridge.grantFiles(files),
    startDrag: () => bridge.startDrag(),
    memoryBytes: () => bridge.memoryBytes(),
  };
}

const ClientContext = createContext<Client | null>(null);
export const ClientProvider = ClientContext.Provider;

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error('A component needs a ClientProvider above it');
  return client;
}
