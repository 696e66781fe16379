import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { UploadPlan, PlanEntry } from '../../../shared/domain/upload-plan.ts';
import { useClient, type Client } from '../../app/client.ts';
import { createRowWindow, type WindowPage } from '../../app/row-window.ts';
import { takePlan } from './upload-store.ts';

/** `stored`: what the list has under the entry's identifier; null: nothing. */
export type SheetRow = PlanEntry & { stored: { classification: string | null } | null };
type PlanPage = WindowPage<SheetRow> & { plan: UploadPlan; notedBelow: readonly number[] };

/** The visible part of the sheet's files, kept up to date. */
export function usePlanWindow({ id: planId, revision }: UploadPlan) {
  const client = useClient();
  const [rows] = useState(() =>
    createRowWindow<string, PlanPage>(async (id, offset, limit) => {
      const { plan, total, entries, ...page } = await client.call('uploadPlans.page', { id, offset, limit });
      takePlan(plan);
      const stored = await findStored(client, plan.serviceId, entries);
      const marked = entries.map((entry) => ({ ...entry, stored: stored.get(entry.identifier) ?? null }));
      return { ...page, plan, total, revision: plan.revision, rows: marked };
    }),
  );
  useEffect(() => {
    rows.show(planId, 0, 20);
    return rows.close;
  }, [rows, planId]);
  useEffect(() => client.on('uploadPlans.changed', takePlan), [client]);
  useEffect(() => rows.changed(revision), [rows, revision]);
  const { page, error } = useStore(rows.store);
  const show = useCallback((from: number, to: number) => rows.show(planId, from, to), [rows, planId]);
  return { page, error, show, retry: rows.retry };
}

/** Only used to mark rows, so a failure is ignored. */
async function findStored(client: Client, serviceId: string, entries: readonly PlanEntry[]) {
  const identifiers = entries.map(({ identifier }) => identifier).filter((identifier) => identifier !== '');
  if (identifiers.length === 0) return new Map<string, { classification: string | null }>();
  const { stored } = await client
    .call('objects.stored', { serviceId, identifiers })
    .catch(() => ({ stored: [] }));
  return new Map(stored.map(({ identifier, classification }) => [identifier, { classification }]));
}
