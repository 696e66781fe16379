import { EventEmitter } from 'node:events';

/** What Electron itself would refuse, or what the stand-in does not provide. */
export function refuse(message: string): never {
  throw new Error(`chromium-shell: ${message}`);
}

/** An object of Electron's API: reading or writing a member that it does not provide throws, and says which. */
export function provideOnly<T extends object>(name: string, members: T): T {
  return new Proxy(members, {
    get: (target, key) => {
      // `then` is asked of everything that is awaited.
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

/** Throws for options that the stand-in would silently ignore. */
export function checkOptions(name: string, options: object, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) refuse(`${name}: the option "${key}" is not provided`);
  }
}

/** An event as Electron gives it to listeners that may say no. */
export class ShellEvent {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

/** Listening to an event that never comes would be an error nobody sees, so it throws. */
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

  /** Emits with a preventable event first; true when nobody prevented it. */
  permits(event: string, ...args: unknown[]): boolean {
    const shellEvent = new ShellEvent();
    this.emit(event, shellEvent, ...args);
    return !shellEvent.defaultPrevented;
  }
}

/** Ignores errors of requests to a window that has closed meanwhile: nobody waits for the result. */
export function unlessGone(work: Promise<unknown>): void {
  work.catch(() => undefined);
}

const said = new Set<string>();

/** One line on stderr about something the stand-in cannot do, once. */
export function sayOnce(message: string): void {
  if (said.has(message)) return;
  said.add(message);
  process.stderr.write(`chromium-shell: ${message}\n`);
}
