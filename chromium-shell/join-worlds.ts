/*
 * Code for the window: `joinWorlds` and `runPreload` are sent there as text (`toString()`), so each is self-contained.
 * There are two worlds on one page, as under Electron's contextIsolation: the page's own, and one that the page
 * cannot see, where the preload script runs. DOM events cross between them synchronously, and Chromium copies their
 * `detail` (structured clone). Files cross as those of a drag, which are not copied: a clone of a File costs 0.3 ms.
 *
 * The page's end is in place before any script of the page runs, and the events have an unguessable name. A page that
 * replaces CustomEvent later breaks the bridge for itself only.
 */

export type Joint = {
  /** Defines a frozen copy of a value on the other world's window, with functions proxied. */
  expose: (key: string, value: unknown) => void;
};

/** One end of the contextBridge; both worlds run the same code. */
export function joinWorlds(secret: string, here: 'page' | 'preload'): Joint {
  const there = here === 'page' ? 'preload' : 'page';
  type Packed = { kind: string; content?: unknown };
  type Call = (...args: unknown[]) => unknown;
  type Settle = { resolve: (value: unknown) => void; reject: (cause: unknown) => void };
  const Event = CustomEvent;
  const FilesEvent = DragEvent;
  const Transfer = DataTransfer;
  const dispatch = dispatchEvent.bind(globalThis);
  const listen = addEventListener.bind(globalThis);
  const functions = new Map<number, Call>();
  const promises = new Map<number, Settle>();
  let lastId = 0;
  let reply: unknown;
  /** Files of the message being packed, and of the last one received. */
  let outgoing: File[] = [];
  let incoming: File[] = [];

  const send = (type: string, detail: unknown) => {
    if (outgoing.length > 0) {
      const dataTransfer = new Transfer();
      for (const file of outgoing) dataTransfer.items.add(file);
      outgoing = [];
      dispatch(new FilesEvent(`${secret}:${there}:files`, { dataTransfer }));
    }
    dispatch(new Event(type, { detail }));
  };

  // Answers arrive before `dispatch` returns; nested questions are answered before the outer one.
  const ask = (question: Record<string, unknown>): unknown => {
    reply = undefined;
    send(`${secret}:${there}`, question);
    const answer = reply as { value?: Packed; error?: Packed } | undefined;
    if (!answer) throw new Error('An object could not be cloned.');
    if (answer.error) throw unpack(answer.error);
    return answer.value && unpack(answer.value);
  };

  const pack = (value: unknown): Packed => {
    if (typeof value === 'function') {
      functions.set(++lastId, value as Call);
      return { kind: 'function', content: lastId };
    }
    if (typeof value === 'symbol') return { kind: 'value' };
    if (value instanceof File) return { kind: 'file', content: outgoing.push(value) - 1 };
    if (value instanceof Promise) {
      const id = ++lastId;
      const settle = (how: string) => (result: unknown) => void ask({ settle: how, id, value: pack(result) });
      value.then(settle('resolve'), settle('reject'));
      return { kind: 'promise', content: id };
    }
    if (value instanceof Error) return { kind: 'error', content: value.message };
    if (Array.isArray(value)) return { kind: 'array', content: value.map(pack) };
    if (
      typeof value === 'object' &&
      value !== null &&
      Object.prototype.toString.call(value) === '[object Object]'
    ) {
      return { kind: 'object', content: Object.entries(value).map(([key, item]) => [key, pack(item)]) };
    }
    return { kind: 'value', content: value };
  };

  const unpack = ({ kind, content }: Packed): unknown => {
    if (kind === 'function') return (...args: unknown[]) => ask({ call: content, args: args.map(pack) });
    if (kind === 'promise') {
      return new Promise((resolve, reject) => promises.set(content as number, { resolve, reject }));
    }
    if (kind === 'error') return new Error(content as string);
    if (kind === 'file') return incoming[content as number];
    if (kind === 'array') return (content as Packed[]).map(unpack);
    if (kind === 'object') {
      return Object.fromEntries((content as [string, Packed][]).map(([key, item]) => [key, unpack(item)]));
    }
    return content;
  };

  const freeze = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(freeze);
    return Object.freeze(value);
  };

  listen(`${secret}:${here}`, (event) => {
    const question = (event as CustomEvent).detail as {
      call?: number;
      args?: Packed[];
      settle?: 'resolve' | 'reject';
      id?: number;
      expose?: string;
      value?: Packed;
    } | null;
    let answer: { value?: Packed; error?: Packed } = {};
    try {
      if (question?.call !== undefined) {
        const called = functions.get(question.call);
        answer = { value: pack(called?.(...(question.args ?? []).map(unpack))) };
      } else if (question?.settle && question.value) {
        promises.get(question.id ?? 0)?.[question.settle](unpack(question.value));
        promises.delete(question.id ?? 0);
      } else if (question?.expose && question.value) {
        const value = freeze(unpack(question.value));
        Object.defineProperty(globalThis, question.expose, { value, enumerable: true });
      }
    } catch (cause) {
      answer = { error: pack(cause instanceof Error ? cause : new Error(String(cause))) };
    }
    send(`${secret}:${there}:reply`, answer);
  });
  listen(`${secret}:${here}:files`, (event) => {
    incoming = [...((event as DragEvent).dataTransfer?.files ?? [])];
  });
  listen(`${secret}:${here}:reply`, (event) => {
    reply = (event as CustomEvent).detail as unknown;
  });

  return { expose: (key, value) => void ask({ expose: key, value: pack(value) }) };
}
