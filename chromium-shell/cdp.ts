import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { CDPSession } from 'playwright';

/** The Chrome DevTools Protocol, with playwright's types for its commands and events. */
export type CdpSession = Pick<CDPSession, 'send' | 'on' | 'off'>;

export type CdpConnection = {
  browser: CdpSession;
  /** The session of a target that was attached to with `flatten`. */
  session: (sessionId: string) => CdpSession;
};

type Message = {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
};

/** Speaks over Chromium's --remote-debugging-pipe: JSON messages that end with a NUL byte. No port is opened. */
export function connectCdp(toChromium: Writable, fromChromium: Readable): CdpConnection {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  const sessions = new Map<string, EventEmitter>();
  let lastId = 0;
  let hasEnded = false;

  const open = (sessionId: string): CdpSession => {
    const emitter = sessions.get(sessionId) ?? new EventEmitter();
    sessions.set(sessionId, emitter);
    const send = (method: string, params: unknown = {}) =>
      new Promise<unknown>((resolve, reject) => {
        if (hasEnded) return reject(new Error(`${method}: Chromium has ended`));
        const id = ++lastId;
        waiting.set(id, { resolve, reject: (error) => reject(new Error(`${method}: ${error.message}`)) });
        toChromium.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`);
      });
    return Object.assign(emitter, { send }) as unknown as CdpSession;
  };

  const receive = (message: Message) => {
    if (message.id === undefined) {
      sessions.get(message.sessionId ?? '')?.emit(message.method ?? '', message.params);
      return;
    }
    const request = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) request?.reject(new Error(message.error.message));
    else request?.resolve(message.result);
  };

  let pieces: string[] = [];
  fromChromium.setEncoding('utf8').on('data', (text: string) => {
    const ends = text.split('\0');
    for (const [index, piece] of ends.entries()) {
      pieces.push(piece);
      if (index === ends.length - 1) break;
      const whole = pieces.join('');
      pieces = [];
      receive(JSON.parse(whole) as Message);
    }
  });
  fromChromium.on('close', () => {
    hasEnded = true;
    for (const { reject } of waiting.values()) reject(new Error('Chromium has ended'));
    waiting.clear();
  });
  toChromium.on('error', () => {
    hasEnded = true; // the pipe broke: `close` follows and rejects all pending commands
  });
  return { browser: open(''), session: open };
}
