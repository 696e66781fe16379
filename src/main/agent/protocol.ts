import type { EventName, ProcedureName, Reply } from '../../shared/contract.ts';

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

/**
 * Who decides about a call. `account`: nobody else than the system, which lets only programs of this account connect. `token`: whoever gives the
 * token anew, see keep-tokens-safe.ts. `person`: the person, whom the app asks in its window; no other process answers such a call.
 */
export type Guard = 'account' | 'token' | 'person';

/**
 * Procedures that commands may call in another process: none that needs the window or a dialog. docs/secrets-for-programs.md says what
 * that means for each.
 */
const guards: Readonly<Partial<Record<ProcedureName, Guard>>> = {
  'app.info': 'account',
  'app.report': 'account',
  'services.list': 'account',
  'services.test': 'token',
  'services.tryObject': 'token',
  'services.add': 'account',
  'services.update': 'token',
  'services.remove': 'account',
  'services.activate': 'account',
  'services.check': 'account',
  'services.setToken': 'account',
  'proxies.signIn': 'account',
  'objects.page': 'account',
  'objects.get': 'account',
  'objects.collections': 'account',
  'objects.folders': 'account',
  'objects.summarize': 'account',
  'objects.check': 'account',
  'objects.delete': 'account',
  'objects.addKnown': 'account',
  'objects.findVersions': 'account',
  'objects.cancelImport': 'account',
  'objects.leftParts': 'account',
  'objects.removeLeftParts': 'account',
  'objects.removePartsUpTo': 'account',
  'edits.open': 'account',
  'edits.begin': 'account',
  'edits.list': 'account',
  'edits.finish': 'account',
  'tasks.list': 'account',
  'tasks.cancel': 'account',
  'transfers.page': 'account',
  'transfers.picked': 'account',
  'transfers.cancel': 'account',
  'transfers.answer': 'account',
  'transfers.retry': 'account',
  'transfers.pause': 'account',
  'transfers.resume': 'account',
  'command.find': 'account',
  'command.list': 'account',
  'command.put': 'account',
  'command.get': 'account',
  'command.transfers': 'account',
  'command.trouble': 'account',
  'command.cancelAll': 'account',
  'command.export': 'account',
  'command.import': 'account',
  'command.introduce': 'person',
  'command.readSecrets': 'person',
  'command.copySecret': 'person',
  'command.withdraw': 'person',
  'undo.summary': 'account',
  'undo.unknown': 'account',
  'secrets.store': 'account',
  'watch.list': 'account',
  'team.status': 'account',
  'team.look': 'account',
  'team.join': 'account',
  'team.signIn': 'account',
  'team.sync': 'account',
  'team.leave': 'account',
  'team.people': 'account',
  'team.invite': 'account',
  'team.curation': 'account',
  'team.makeArea': 'account',
  'team.removeArea': 'account',
  'team.setAccess': 'account',
  'team.setPerson': 'account',
  'team.setList': 'account',
  'team.compare': 'account',
  'team.lookToCreate': 'account',
  'team.create': 'account',
};

/** null: commands may not call it. */
export function guardOf(name: string): Guard | null {
  return Object.hasOwn(guards, name) ? (guards[name as ProcedureName] ?? null) : null;
}

export const guardedProcedures = Object.keys(guards);
