import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { UploadPlan, PlanEntry } from '../../../shared/domain/upload-plan.ts';
import { useClient } from '../../app/client.ts';
import { createRowWindow, type WindowPage } from '../../app/row-window.ts';
import { takePlan } from './upload-store.ts';

type PlanPage = WindowPage<PlanEntry> & { plan: UploadPlan; notedBelow: readonly number[] };

/** The visible part of the sheet's files, kept up to date. */
export function usePlanWindow({ id: planId, revision }: UploadPlan) {
  const client = useClient();
  const [rows] = useState(() =>
    createRowWindow<string, PlanPage>(async (id, offset, limit) => {
      const { plan, total, entries, ...page } = await client.call('uploadPlans.page', { id, offset, limit });
      takePlan(plan);
      return { ...page, plan, total, revision: plan.revision, rows: entries };
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
