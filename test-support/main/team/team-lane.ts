import type { TeamAccess, TeamCursor, TeamMoved, TeamRow } from '../../../src/main/objects/team/team-copy.ts';
import type { OpenTeamCopy } from '../objects/team-copy.ts';
import type { Answer, Member } from './team-database.ts';

/** Where a process ends in a push, or before a page is applied. */
export interface Faults {
  readonly killedBefore?: 'push' | 'answer' | 'page';
  readonly pageRows?: number;
}

interface Hello {
  readonly epoch: string;
  readonly rev: number;
  readonly accessRev: number;
  readonly tag: string | null;
  readonly known: boolean;
  readonly areas: Record<string, [1 | 2 | 3, string]> | null;
}

const states = { 0: 'stored', 2: 'unknown', 3: 'missing', 5: 'gone' } as const;
type Fields = Omit<TeamRow, 'kind' | 'state'> & { kind: number; state: keyof typeof states };

/** @param where with its order and limit */
export async function readRows(member: Member, where: string, ...values: unknown[]): Promise<TeamRow[]> {
  const rows = await member.rows<Fields>(
    `select kind, identifier, rev::float8 as rev, area, state, seen_ms::float8 as "seenMs", seen_by as "seenBy", incarnation,
       length_bytes::float8 as "lengthBytes", encode(sha256, 'hex') as sha256, classification, source_name as "sourceName",
       stored_ms::float8 as "storedAtMs", stored_by as "storedBy", parts, note, renew_by::text as "renewBy",
       is_forgotten as "isForgotten"
     from coffer.object where ${where}`,
    ...values,
  );
  return rows.map((row) => ({ ...row, kind: row.kind === 0 ? 'data' : 'secret', state: states[row.state] }));
}

/** What a client does in one round: access, fills, pushes, changes. */
export async function syncOnce(
  copy: OpenTeamCopy,
  member: Member,
  list: number,
  faults: Faults,
): Promise<void> {
  const { serviceId } = copy;
  const { pageRows = 1000 } = faults;
  const hello = async () => {
    const { cursor } = (await copy.team.stateOf(serviceId)) ?? {};
    const [newest] = await copy.team.anchors(serviceId);
    const known = cursor && newest && newest.rev > cursor.rev ? newest : cursor;
    return member.call<Hello>('coffer.hello_1($1, $2, $3)', list, known?.rev ?? 0, known?.tag ?? null);
  };
  const first = await hello();
  if (!first.known) {
    const anchors = await copy.team.anchors(serviceId);
    const [revs, tags] = [anchors.map(({ rev }) => rev), anchors.map(({ tag }) => tag)];
    const common = await member.call<string>('coffer.common_1($1, $2, $3)', list, revs, tags);
    await copy.team.serverForgot(serviceId, Number(common));
  }
  const access: TeamAccess[] = Object.entries(first.areas ?? {}).map(([area, [may, since]]) => ({
    area: Number(area),
    may,
    since,
  }));
  const wanted = await copy.team.setAccess(serviceId, access, first.accessRev);
  const head = ({ epoch, rev, tag }: Hello): TeamCursor => ({ epoch, rev, tag });
  if (wanted.length > 0) await copy.team.beginFill(serviceId, wanted, head(first));
  for (;;) {
    const fill = (await copy.team.stateOf(serviceId))?.fill;
    if (fill == null) break;
    const after = [
      fill.after === null ? -1 : fill.after.kind === 'data' ? 0 : 1,
      fill.after?.identifier ?? '',
    ];
    const rows = await readRows(
      member,
      'list = $1 and area = any ($2) and (kind, identifier) > ($3::int, $4) and not is_forgotten order by kind, identifier limit $5',
      list,
      fill.areas,
      ...after,
      pageRows,
    );
    await copy.team.fillPage(serviceId, rows, rows.length < pageRows);
    if (faults.killedBefore === 'page') return copy.reopen();
  }
  for (;;) {
    const push = await copy.team.nextPush(serviceId);
    if (push === null) break;
    if (faults.killedBefore === 'push') return copy.reopen();
    const { client, seq, before, tag, changes } = push;
    try {
      const sql = 'coffer.push_1($1, $2, $3, $4, $5, $6)';
      const answer = await member.call<Answer>(sql, list, client, seq, before, tag, changes);
      if (faults.killedBefore === 'answer') return copy.reopen();
      await copy.team.acknowledge(serviceId, seq, answer);
    } catch (cause) {
      if ((cause as { code?: string }).code !== '55000') throw cause;
      await copy.team.renewClient(serviceId);
    }
  }
  const last = head(await hello());
  for (;;) {
    const from = (await copy.team.stateOf(serviceId))?.cursor?.rev ?? 0;
    if (from >= last.rev) return;
    const rows = await readRows(
      member,
      'list = $1 and rev > $2 and rev <= $3 order by rev limit $4',
      list,
      from,
      last.rev,
      pageRows,
    );
    const isLast = rows.length < pageRows;
    const to = isLast ? last.rev : (rows.at(-1)?.rev ?? last.rev);
    const moved = await member.rows<Omit<TeamMoved, 'kind'> & { kind: number }>(
      'select kind, identifier, rev::float8 as rev, area from coffer.moved where list = $1 and rev > $2 and rev <= $3 order by rev',
      list,
      from,
      to,
    );
    if (faults.killedBefore === 'page') return copy.reopen();
    await copy.team.apply(serviceId, {
      rows,
      moved: moved.map((each) => ({ ...each, kind: each.kind === 0 ? 'data' : 'secret' })),
      // Only of the head the tag is known.
      cursor: isLast ? last : { epoch: last.epoch, rev: to, tag: null },
    });
  }
}
