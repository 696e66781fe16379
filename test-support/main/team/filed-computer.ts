import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { makeFolder } from '../database/folder.ts';
import { openTeamCopy, type OpenTeamCopy } from '../objects/team-copy.ts';
import type { Member, TeamDatabase } from './create-team.ts';
import { followTeam, joinAs } from './follow-team.ts';

/** A computer whose list is stored in a file. */
export async function openFiledComputer(team: TeamDatabase, member: Member, port: number) {
  const folder = await makeFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  let count = 0;
  const newPath = () => join(folder.path, String((count += 1)));
  const open = async (path: string) => {
    const db = new DatabaseSync(path);
    db.exec('PRAGMA journal_mode = WAL');
    const opened = await openTeamCopy(() => Date.now(), db);
    onTestFinished(() => {
      if (db.isOpen) opened.close();
    });
    return opened;
  };
  const list = await open(newPath());
  await list.join(joinAs(team, member, port));
  return {
    list,
    /** Copies the data folder. @returns opens the copy */
    save: () => {
      const path = newPath();
      list.db.exec(`VACUUM INTO '${path}'`);
      return () => open(path);
    },
  };
}

export const followList = (member: Member, list: OpenTeamCopy) =>
  followTeam(list.serviceId, member, list.team);
