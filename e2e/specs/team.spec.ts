import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test as base } from '../fixtures.ts';
import { launchApp } from '../launch.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { startService } from '../service.ts';
import { startTeam, type Team } from '../../test-support/main/team/two-people.ts';

const token = 'one-service-for-all';

/** A colleague at another computer, with a window, folders and a list of their own. */
type Colleague = { page: Page; downloads: string };

const test = base.extend<{ team: Team; baseAddress: string; colleague: Colleague }>({
  baseAddress: async ({ app }, provide) => {
    const service = await startService(app.folder, { token });
    await provide(service.baseAddress);
    await service.close();
  },
  team: async ({ app, baseAddress }, provide) => {
    const team = await startTeam(app.folder, baseAddress);
    await provide(team);
    await team.close();
  },
  colleague: async ({ app, shell, display }, provide) => {
    const home = join(app.folder, 'colleague');
    const downloads = join(home, 'Downloads');
    mkdirSync(downloads, { recursive: true });
    const launched = await launchApp({
      shell,
      userData: join(home, 'data'),
      dialogAnswers: join(home, 'dialogs.json'),
      env: { ...display, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), COFFER_DOWNLOADS: downloads },
    });
    await provide({ page: launched.page, downloads });
    await launched.kill();
  },
});

async function joinTeam(page: Page, baseAddress: string, invitation: string): Promise<CofferWindow> {
  const coffer = new CofferWindow(page);
  await coffer.connect({ name: 'Archive', baseAddress, token });
  await page.getByRole('button', { name: 'Join a team’s list…' }).click();
  await coffer.giveInvitation(invitation);
  await coffer.join();
  return coffer;
}

function standing(page: Page, state: string | RegExp) {
  return page.getByRole('button', {
    name: typeof state === 'string' ? new RegExp(`^Team’s list: ${state}( · \\d+ people)?$`) : state,
  });
}

async function upload(app: { drop: (paths: string[]) => Promise<void> }, coffer: CofferWindow, path = '') {
  await app.drop([path]);
  await coffer.startUpload(1);
}

test('a colleague sees and downloads what one stores, who then sees that the colleague deleted it', async ({
  app,
  team,
  baseAddress,
  colleague,
}) => {
  const anna = await joinTeam(app.page, baseAddress, team.invitations.anna);
  const ben = await joinTeam(colleague.page, baseAddress, team.invitations.ben);
  const { 'minutes.txt': minutes } = writeFiles(join(app.folder, 'mine'), { 'minutes.txt': 4321 });
  await upload(app, anna, minutes);
  await anna.expectStored('minutes.txt');

  // Within a second of being stored, on a computer that has time.
  await expect(ben.row('minutes.txt')).toContainText('Anna Berg');
  await ben.search.fill('by:ann');
  await expect(ben.row('minutes.txt')).toBeVisible();
  await ben.search.fill('');
  await ben.row('minutes.txt').click();
  await ben.showTab('Details');
  const details = colleague.page.getByRole('region', { name: 'Team' });
  await expect(details).toContainText(/Seen last\s*Anna Berg/);
  await ben.download('minutes.txt');
  await expect(ben.transfer('minutes.txt', 'download', 'Done')).toBeVisible();
  expect(digestOf(join(colleague.downloads, 'Archive', 'minutes.txt'))).toBe(digestOf(minutes ?? ''));
  await ben.showTab('Details');
  await expect(details).toContainText(/Seen last\s*You/);

  await ben.objects.press('Shift+Delete');
  await expect(ben.row('minutes.txt')).toBeHidden();

  await expect(anna.row('minutes.txt')).toBeHidden();
  await anna.collection('Deleted').click();
  await anna.row('minutes.txt').click();
  await anna.showTab('Details');
  await expect(app.page.getByRole('region', { name: 'Team' })).toContainText('Found deletedBen Aalto');
});

test('without the server both continue, and catch up when it is back; a former member is told so @all', async ({
  app,
  team,
  baseAddress,
  colleague,
}) => {
  const anna = await joinTeam(app.page, baseAddress, team.invitations.anna);
  const ben = await joinTeam(colleague.page, baseAddress, team.invitations.ben);
  const files = writeFiles(join(app.folder, 'mine'), { 'budget.xlsx': 5000, 'notes.txt': 300 });
  await team.stop();
  await expect(standing(app.page, /^Team’s list: As of/)).toBeVisible();
  await upload(app, anna, files['budget.xlsx']);
  await anna.expectStored('budget.xlsx');
  await expect(standing(app.page, /1 change waits$/)).toBeVisible();
  await expect(ben.row('budget.xlsx')).toHaveCount(0);
  await team.start();
  await expect(standing(app.page, 'Live')).toBeVisible({ timeout: 90_000 });
  await expect(ben.row('budget.xlsx')).toContainText('Anna Berg', { timeout: 90_000 });

  await team.endBen();
  const refused = standing(colleague.page, 'The team refuses you');
  await expect(refused).toBeVisible({ timeout: 90_000 });
  await upload(app, anna, files['notes.txt']);
  await anna.expectStored('notes.txt');
  await expect(ben.row('notes.txt')).toHaveCount(0);
  await refused.click();
  await expect(colleague.page.getByText('You aren’t a member of the team there.')).toBeVisible();
  await colleague.page.getByRole('button', { name: 'Leave the team of Archive' }).click();
  const question = colleague.page.getByRole('alertdialog', { name: 'Leave Meridian?' });
  await question.getByRole('button', { name: 'Leave', exact: true }).click();
  await expect(colleague.page.getByRole('button', { name: 'Join a team’s list for Archive' })).toBeVisible();
  await ben.collection('All objects').click();
  await expect(ben.row('budget.xlsx')).toHaveCount(0);
});
