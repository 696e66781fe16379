import { EventEmitter } from 'node:events';

/** Throws for calls that Electron would refuse, or that the stand-in does not support. */
export function refuse(message: string): never {
  throw new Error(`chromium-shell: ${message}`);
}

/** An object of Electron's API: accessing a member that it does not provide throws with its name. */
export function provideOnly<T extends object>(name: string, members: T): T {
  return new Proxy(members, {
    get: (target, key) => {
      // `await` reads `then` of everything.
      if (!(key in target) && typeof key === 'string' && key !== 'then')
        refuse(`${name}.${key} is not provided`);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (target, key, value) => {
      if (!(key in target)) refuse(`${name}.${String(key)} is not provided`);
      return Reflect.set(target, key, value, target);
    },
  });
}

/** Throws for options that the stand-in would ignore. */
export function checkOptions(name: string, options: object, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) refuse(`${name}: the option "${key}" is not provided`);
  }
}

/** A preventable event like Electron's. */
export class ShellEvent {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

/** Throws for listeners of events that are never emitted: otherwise they would go unnoticed. */
export class ShellEmitter extends EventEmitter {
  readonly #name: string;
  readonly #events: readonly string[];

  constructor(name: string, events: readonly string[]) {
    super();
    this.#name = name;
    this.#events = events;
    this.on('newListener', (event: string) => {
      if (!this.#events.includes(event)) refuse(`the event "${event}" of ${this.#name} is not provided`);
    });
  }

  /** Emits an event with a preventable `ShellEvent` as its first argument. @returns whether no listener prevented it */
  permits(event: string, ...args: unknown[]): boolean {
    const shellEvent = new ShellEvent();
    this.emit(event, shellEvent, ...args);
    return !shellEvent.defaultPrevented;
  }
}

/** Ignores errors of requests to a window that has closed: the results are not needed. */
export function unlessGone(work: Promise<unknown>): void {
  work.catch(() => undefined);
}

const said = new Set<string>();

/** Reports once, on one line of stderr, what the stand-in cannot do. */
export function sayOnce(message: string): void {
  if (said.has(message)) return;
  said.add(message);
  process.stderr.write(`chromium-shell: ${message}\n`);
}
