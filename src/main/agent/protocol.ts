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

/** Procedures that commands may call in the running app: none that needs the window or a dialog. */
const allowed = new Set<ProcedureName>([
  'app.info',
  'app.report',
  'services.list',
  'services.test',
  'services.tryObject',
  'services.add',
  'services.update',
  'services.remove',
  'services.activate',
  'services.check',
  'services.setToken',
  'proxies.signIn',
  'objects.page',
  'objects.get',
  'objects.collections',
  'objects.folders',
  'objects.summarize',
  'objects.check',
  'objects.delete',
  'objects.addKnown',
  'objects.findVersions',
  'objects.cancelImport',
  'objects.leftParts',
  'objects.removeLeftParts',
  'objects.removePartsUpTo',
  'edits.open',
  'edits.begin',
  'edits.list',
  'edits.finish',
  'tasks.list',
  'tasks.cancel',
  'transfers.page',
  'transfers.picked',
  'transfers.cancel',
  'transfers.answer',
  'transfers.retry',
  'transfers.pause',
  'transfers.resume',
  'command.find',
  'command.list',
  'command.put',
  'command.get',
  'command.transfers',
  'command.trouble',
  'command.cancelAll',
  'command.export',
  'command.import',
  'command.introduce',
  'command.readSecrets',
  'command.copySecret',
  'command.withdraw',
  'undo.summary',
  'undo.unknown',
  'secrets.store',
  'watch.list',
  'team.status',
  'team.look',
  'team.join',
  'team.signIn',
  'team.sync',
  'team.leave',
  'team.people',
  'team.invite',
  'team.inviteComputer',
  'team.curation',
  'team.makeArea',
  'team.removeArea',
  'team.setAccess',
  'team.setPerson',
  'team.setList',
  'team.compare',
  'team.lookToCreate',
  'team.create',
]);

export function isAllowed(name: string): boolean {
  return allowed.has(name as ProcedureName);
}
