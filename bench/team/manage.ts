import { membershipOf } from '../../src/main/team/curating.ts';
import { createVisits } from '../../src/main/team/visits.ts';
import { openLink } from '../link/proxy.ts';
import { report } from './report.ts';
import type { BenchTeam } from './server.ts';

const rttMs = 50;
const turns = 9;

/** How long *People and access* shows its outline, with a server at some distance: a connection and two questions. */
export async function measureManage({ port, database, list, member }: BenchTeam): Promise<void> {
  const [near, far] = [`http://127.0.0.1:${String(port)}`, { rttMs, mbits: null }];
  const link = await openLink(far, near);
  const visits = createVisits();
  const timesOf = async (address: string): Promise<number[]> => {
    const place = {
      host: '127.0.0.1',
      port: Number(new URL(address).port),
      database,
      role: member.role,
      authority: null,
      clientCertificate: null,
    };
    const times: number[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const startMs = performance.now();
      await visits.visit(place, [{ password: member.password, passphrase: null }], (server) =>
        membershipOf(server, list),
      );
      times.push(performance.now() - startMs);
    }
    return times;
  };
  const [here, there] = [Math.min(...(await timesOf(near))), Math.min(...(await timesOf(link.baseAddress)))];
  await visits.close();
  link.close();
  report(
    `people and access, ${String(rttMs)} ms away`,
    `${there.toFixed(0)} ms`,
    `${here.toFixed(0)} ms here, ${((there - here) / rttMs).toFixed(1)} round trips`,
    there <= 600,
    '600 ms; the outline is there at once',
  );
}
