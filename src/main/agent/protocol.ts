import type { EventName, ProcedureName, Reply } from '../../shared/contract.ts';

/** Grows with each change that an older command or app would misunderstand. */
export const protocolVersion = 3;

/** Why a command is not served. `protocol`: the two do not understand each other; `version` is the app's. */
export type Refusal = 'protocol' | 'busy' | 'badRequest' | 'closing';

/** What the app says, or a command that does the work. @param isApp an older one does not say it */
export type Answer =
  | { readonly hello: { readonly protocol: number; readonly version: string; readonly isApp?: boolean } }
  | { readonly refused: Refusal; readonly version: string }
  | { readonly id: number; readonly reply: Reply }
  | { readonly event: EventName; readonly payload: unknown };

/** What a command may ask of the running app. What needs the window, or a dialog in it, is not among them. */
const allowed = new Set<ProcedureName>([
  'app.info',
  'services.list',
  'services.add',
  'services.check',
  'services.setToken',
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
  'undo.unknown',
  'secrets.store',
]);

export function isAllowed(name: string): boolean {
  return allowed.has(name as ProcedureName);
}
