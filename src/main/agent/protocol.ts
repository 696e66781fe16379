import type { EventName, Reply } from '../../shared/contract.ts';

/** Increase with each change that an older command or app would misunderstand. */
export const protocolVersion = 6;

/** How many commands are served at once. */
export const maxConnections = 64;

/** Why a command is refused. `protocol`: the two versions are incompatible; `version` is the app's. */
export type Refusal = 'protocol' | 'busy' | 'badRequest' | 'closing';

/** Messages from the app, or the command that does the work. Older versions omit `isApp`; `proof` is sent only if the address has a key. */
export type Answer =
  | {
      readonly hello: {
        readonly protocol: number;
        readonly version: string;
        readonly isApp?: boolean;
        readonly proof?: string;
      };
    }
  | { readonly refused: Refusal; readonly version: string }
  | { readonly id: number; readonly reply: Reply }
  | { readonly event: EventName; readonly payload: unknown };
