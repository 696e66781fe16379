import type { z } from 'zod';
import type { AppError } from './errors.ts';
import { appEvents, appProcedures } from './contract/app.ts';
import { servicesEvents, servicesProcedures } from './contract/services.ts';
import { objectsEvents, objectsProcedures } from './contract/objects.ts';
import { bulkOperationsEvents, bulkOperationsProcedures } from './contract/bulk-operations.ts';
import { uploadPlansEvents, uploadPlansProcedures } from './contract/upload-plans.ts';
import { transfersEvents, transfersProcedures } from './contract/transfers.ts';
import { approvalsEvents, approvalsProcedures } from './contract/approvals.ts';
import { commandProcedures } from './contract/command.ts';
import { linksEvents, linksProcedures } from './contract/links.ts';
import { editsEvents, editsProcedures } from './contract/edits.ts';
import { undoEvents, undoProcedures } from './contract/undo.ts';
import { secretsEvents, secretsProcedures } from './contract/secrets.ts';
import { updatesEvents, updatesProcedures } from './contract/updates.ts';
import { watchEvents, watchProcedures } from './contract/watch.ts';
import { teamEvents, teamProcedures } from './contract/team.ts';
import type { Guard } from './contract/parts.ts';

export { commandSchema, type AppInfo, type Command, type Undoable } from './contract/app.ts';
export type {
  CsvSeparator,
  LeftBehind,
  ImportProblem,
  ImportReport,
  LeftParts,
  ObjectFailure,
  ObjectRow,
  PartsShown,
  PartState,
  RowPlace,
  SelectionMix,
  SelectionSummary,
} from './contract/object-shapes.ts';
export type { ListedObject } from './contract/command.ts';
export type { ReplacedVersion, UndoQuestion, UnknownFile } from './contract/undo.ts';
export type { Classifications, ConnectionReport, ObjectTrial } from './contract/services.ts';

// Named types: written out, they exceed a megabyte, which the type check of every project would read.
type Procedures = typeof appProcedures &
  typeof servicesProcedures &
  typeof objectsProcedures &
  typeof bulkOperationsProcedures &
  typeof uploadPlansProcedures &
  typeof transfersProcedures &
  typeof secretsProcedures &
  typeof commandProcedures &
  typeof approvalsProcedures &
  typeof editsProcedures &
  typeof watchProcedures &
  typeof updatesProcedures &
  typeof teamProcedures &
  typeof undoProcedures &
  typeof linksProcedures;
type Events = typeof appEvents &
  typeof servicesEvents &
  typeof objectsEvents &
  typeof bulkOperationsEvents &
  typeof uploadPlansEvents &
  typeof transfersEvents &
  typeof secretsEvents &
  typeof approvalsEvents &
  typeof editsEvents &
  typeof watchEvents &
  typeof updatesEvents &
  typeof teamEvents &
  typeof undoEvents &
  typeof linksEvents;

/**
 * Every procedure and event between the window and the main process, one entry each: the single
 * source of types and of runtime validation. Inputs are strict: unknown keys are rejected.
 */
export const procedures: Procedures = {
  ...appProcedures,
  ...servicesProcedures,
  ...objectsProcedures,
  ...bulkOperationsProcedures,
  ...uploadPlansProcedures,
  ...transfersProcedures,
  ...secretsProcedures,
  ...commandProcedures,
  ...approvalsProcedures,
  ...editsProcedures,
  ...watchProcedures,
  ...updatesProcedures,
  ...teamProcedures,
  ...undoProcedures,
  ...linksProcedures,
};

/** Each means "reload", with a revision: subscribe first, then list, and drop older revisions. */
export const events: Events = {
  ...appEvents,
  ...servicesEvents,
  ...objectsEvents,
  ...bulkOperationsEvents,
  ...uploadPlansEvents,
  ...transfersEvents,
  ...secretsEvents,
  ...approvalsEvents,
  ...editsEvents,
  ...watchEvents,
  ...updatesEvents,
  ...teamEvents,
  ...undoEvents,
  ...linksEvents,
};

export type ProcedureName = keyof typeof procedures;
export type Input<N extends ProcedureName> = z.infer<(typeof procedures)[N]['input']>;
export type Output<N extends ProcedureName> = z.infer<(typeof procedures)[N]['output']>;
export type EventName = keyof typeof events;
export type EventPayload<N extends EventName> = z.infer<(typeof events)[N]>;

/** A missing handler does not compile. */
export type Handlers = { [N in ProcedureName]: (input: Input<N>) => Promise<Output<N>> | Output<N> };

/** The schemas of a procedure as one type: to type a call on the union of all of them takes the compiler seconds. */
export function schemasOf(name: ProcedureName): { input: z.ZodType; output: z.ZodType } {
  const all: Record<ProcedureName, unknown> = procedures;
  return all[name] as { input: z.ZodType; output: z.ZodType };
}

/** Who decides about a command's call of it; null: commands may not call it. */
export function guardOf(name: string): Guard | null {
  return Object.hasOwn(procedures, name) ? procedures[name as ProcedureName].guard : null;
}

export type Reply = { ok: true; value: unknown } | { ok: false; error: AppError };
