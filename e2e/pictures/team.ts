import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect as expectSoon, type Locator } from 'playwright/test';
import { dropFiles } from '../../chromium-shell/testing/files.ts';
import { startTeam, type Team } from '../../test-support/main/team/two-people.ts';
import { startFaultServer } from '../faults/fault-server.ts';
import { writeFiles } from '../files.ts';
import { answerDialogs, findElectron, launchApp, type LaunchedApp } from '../launch.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { closeMessages, large, small, sortNewestFirst, take } from './camera.ts';
import { asExportedList, markAsStored, sampleObjects, type SampleObject } from './meridian.ts';

// After an outage the app waits before it retries the team's server.
const expect = expectSoon.configure({ timeout: 90_000 });
const token = 'meridian';
const serviceName = 'Meridian Archive';

/** Objects stored by Ben; Anna stored the others. */
const isBens = ({ identifier }: SampleObject) => /^(?:imaging|telemetry)\//.test(identifier);

/** A list that Anna and Ben share, in Ben's window: joining, the list, an unreachable server, and the end of his membership. */
export async function takeTeam(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const service = await startFaultServer({ token });
  const team = await startTeam(folder, service.baseAddress);
  const windows: LaunchedApp[] = [];

  async function start(home: string): Promise<LaunchedApp> {
    const launched = await launchApp({
      shell: findElectron() ? 'electron' : 'chromium',
      userData: join(home, 'user data'),
      dialogAnswers: join(home, 'dialogs.json'),
      env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
    });
    windows.push(launched);
    await launched.page.setViewportSize(large);
    return launched;
  }

  /** Starts a person's own Coffer, with objects stored before there was a team. */
  async function launch(home: string, objects: readonly SampleObject[]): Promise<CofferWindow> {
    mkdirSync(join(home, 'Downloads'), { recursive: true });
    const { page } = await start(home);
    const coffer = new CofferWindow(page);
    await coffer.connect({ name: serviceName, baseAddress: service.baseAddress, token });
    const list = join(home, 'meridian.jsonl');
    writeFileSync(list, asExportedList(objects));
    answerDialogs(join(home, 'dialogs.json'), [[list]]);
    await coffer.openSettings();
    await page.getByRole('button', { name: 'Import…' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    markAsStored(join(home, 'user data'));
    return coffer;
  }

  try {
    const objects = sampleObjects(Date.now()).filter(({ state }) => state !== 'gone');
    const anna = await launch(
      join(folder, 'anna'),
      objects.filter((object) => !isBens(object)),
    );
    await startJoining(anna, team.invitations.anna);
    await joinWithAll(anna);
    let ben = await launch(join(folder, 'ben'), objects.filter(isBens));
    await startJoining(ben, team.invitations.ben);
    await expect(ben.joining.getByRole('radio')).toHaveCount(2);
    await take(ben.page, 'team-join');
    await take(ben.page, 'team-join-small', small);
    await joinWithAll(ben);
    await takeList(ben);
    await takeCurating(anna);
    await takeAway(ben, team, folder);
    ben = await takeApart(anna, ben, team, {
      end: async () => void (await windows.at(-1)?.end()),
      start: async () => new CofferWindow((await start(join(folder, 'ben'))).page),
    });
    await takeRefused(ben, team);
  } finally {
    for (const launched of windows) await launched.kill();
    await team.close();
    await service.close();
  }
}

async function startJoining(coffer: CofferWindow, invitation: string): Promise<void> {
  await coffer.page.getByRole('button', { name: `Join a team’s list for ${serviceName}` }).click();
  await coffer.giveInvitation(invitation);
}

/** Joins, and shares what was stored before. */
async function joinWithAll(coffer: CofferWindow): Promise<void> {
  await coffer.joining.getByRole('radio', { name: /^Share the / }).check();
  await coffer.join();
}

/** The status line with the team's state. */
function standing({ statusLine }: CofferWindow, name: RegExp): Locator {
  return statusLine.getByRole('button', { name });
}

/** An object that Anna stored and Ben has not checked. */
async function takeList(ben: CofferWindow): Promise<void> {
  const { page } = ben;
  await ben.collection('All objects').click();
  await sortNewestFirst(page);
  await expect(ben.row('press/fact-sheet.pdf')).toContainText('Anna Berg');
  await ben.row('press/fact-sheet.pdf').click();
  await ben.showTab('Details');
  await expect(page.getByRole('region', { name: 'Team' })).toContainText(/Seen last\s*Anna Berg/);
  await closeMessages(page);
  await page.mouse.move(0, 0);
  await take(page, 'team-list');
  await take(page, 'team-list-small', small);
}

/** Anna curates: the team's people, and a folder that Ben cannot see. */
async function takeCurating(anna: CofferWindow): Promise<void> {
  const { page } = anna;
  await anna.openSettings();
  await page.getByRole('button', { name: `People and access of the team of ${serviceName}` }).click();
  await expect(page.getByRole('list', { name: 'People' })).toContainText('Ben Aalto');
  await closeMessages(page);
  await take(page, 'team-people');
  await take(page, 'team-people-small', small);
  await page.getByRole('tab', { name: 'Areas' }).click();
  await page.getByRole('button', { name: 'New area…' }).click();
  await page.getByRole('textbox', { name: 'Folder' }).fill('contracts');
  await expect(page.getByText(/on your list are there/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Access of Ben Aalto' }).click();
  await page.getByRole('option', { name: /^No access/ }).click();
  await take(page, 'team-area');
  await take(page, 'team-area-small', small);
  await page.getByRole('button', { name: 'Create area' }).click();
  await expect(page.getByRole('list', { name: 'Areas' })).toContainText('contracts/');
  await take(page, 'team-areas');
  await page.getByRole('button', { name: 'Close' }).click();
}

async function takeAway(ben: CofferWindow, team: Team, folder: string): Promise<void> {
  const { page } = ben;
  await team.stop();
  await expect(standing(ben, /: As of/)).toBeVisible();
  const files = writeFiles(join(folder, 'flight'), { '07-15.parquet': 2_460_000 });
  await dropFiles(page, Object.values(files));
  await ben.unfoldOptions();
  const names = ben.sheet.getByRole('textbox', { name: 'Name files by' });
  await names.fill('telemetry/2026/{name}');
  await names.press('Enter');
  await ben.chooseClassification('Internal');
  await ben.startUpload(1);
  await ben.expectStored('telemetry/2026/07-15.parquet');
  await expect(standing(ben, /1 change waits$/)).toBeVisible();
  await closeMessages(page);
  await page.mouse.move(0, 0);
  await take(page, 'team-away');
}

const annotated = 'press/fact-sheet.pdf';

async function writeNote(coffer: CofferWindow, text: string): Promise<void> {
  const { page } = coffer;
  await coffer.collection('All objects').click();
  await coffer.row(annotated).click();
  await coffer.showTab('Details');
  await page.getByRole('button', { name: 'Add a note…' }).click();
  await page.getByRole('textbox', { name: 'Note', exact: true }).fill(text);
  await page.getByRole('button', { name: 'Save note' }).click();
  await expect(page.getByRole('button', { name: 'Edit note' })).toBeVisible();
}

/** Both write a note while the server is down, and Ben's computer is off when it returns: Anna's comes first. @returns Ben's window */
async function takeApart(
  anna: CofferWindow,
  ben: CofferWindow,
  team: Team,
  bens: { end: () => Promise<void>; start: () => Promise<CofferWindow> },
): Promise<CofferWindow> {
  await writeNote(ben, 'Page 2 needs the new logo.');
  await expect(standing(ben, /2 changes wait$/)).toBeVisible();
  await bens.end();
  await writeNote(anna, 'Approved by legal on Monday.');
  await team.start();
  await expect(standing(anna, /: Live · 2 people$/)).toBeVisible();
  const again = await bens.start();
  const { page } = again;
  await again.row(annotated).click();
  await again.showTab('Details');
  await expect(page.getByRole('region', { name: 'Kept apart' })).toBeVisible();
  await page.getByRole('button', { name: 'Show the team’s history' }).click();
  await expect(page.getByRole('list', { name: 'Team’s history' })).toContainText('Note kept apart');
  await page.getByRole('region', { name: 'Team' }).evaluate((section) => section.scrollIntoView());
  await closeMessages(page);
  await page.mouse.move(0, 0);
  await take(page, 'team-apart');
  await take(page, 'team-apart-small', small);
  await page.getByRole('button', { name: 'Discard mine' }).click();
  await expect(page.getByRole('region', { name: 'Kept apart' })).toBeHidden();
  await again.showTab('Transfers');
  return again;
}

async function takeRefused(ben: CofferWindow, team: Team): Promise<void> {
  const { page } = ben;
  await team.endBen();
  await expect(standing(ben, /The team refuses you$/)).toBeVisible();
  await standing(ben, /The team refuses you$/).click();
  await expect(page.getByText('You aren’t a member of the team there.')).toBeVisible();
  await closeMessages(page);
  await take(page, 'team-refused');
  await take(page, 'team-refused-small', small);
}
