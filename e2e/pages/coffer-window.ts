import { expect as expectSoon, type Locator, type Page } from 'playwright/test';

/** As long as in playwright.config.ts, without which benchmarks run. */
const expect = expectSoon.configure({ timeout: 60_000 });

export type Connection = { name: string; baseAddress: string; token: string };

/** The window, located by role and name only, so that the same model works with Electron and with the stand-in. */
export class CofferWindow {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get objects(): Locator {
    return this.page.getByRole('grid', { name: 'Objects' });
  }

  /** A row's accessible name starts with its identifier. */
  row(identifier: string): Locator {
    return this.objects.getByRole('row', { name: new RegExp(`^${escapePattern(identifier)}(\\W|$)`) });
  }

  get secrets(): Locator {
    return this.page.getByRole('grid', { name: 'Secrets' });
  }

  secret(identifier: string): Locator {
    return this.secrets.getByRole('row', { name: new RegExp(`^${escapePattern(identifier)}(\\W|$)`) });
  }

  /** A folder of the list. */
  folder(name: string): Locator {
    return this.objects.getByRole('row', { name: new RegExp(`^${escapePattern(name)}, folder, `) });
  }

  /** A link of the sidebar: Files, All objects, Secrets, Deleted, a folder, a classification. */
  collection(name: string): Locator {
    return this.page
      .getByRole('navigation', { name: 'Collections' })
      .getByRole('link', { name: new RegExp(`^${escapePattern(name)}(\\W|$)`) });
  }

  get search(): Locator {
    return this.page.getByRole('searchbox', { name: 'Search objects' });
  }

  get selectionBar(): Locator {
    return this.page.getByRole('toolbar', { name: 'Selection' });
  }

  get dock(): Locator {
    return this.page.getByRole('complementary', { name: 'Activity' });
  }

  get transfers(): Locator {
    return this.page.getByRole('list', { name: 'Transfers' });
  }

  transfer(identifier: string, direction: 'upload' | 'download', state: string): Locator {
    return this.transfers.getByRole('listitem', { name: `${identifier}, ${direction}, ${state}` });
  }

  /** All listed transfers of this direction and state. */
  transfersThat(direction: 'upload' | 'download', state: string): Locator {
    return this.transfers.getByRole('listitem', { name: new RegExp(`, ${direction}, ${state}$`) });
  }

  /** Clicks an item of a transfer's menu: Pause, Move to top, When idle. */
  async chooseForTransfer(transfer: Locator, entry: string): Promise<void> {
    await transfer.click({ button: 'right' });
    const menu = this.page.getByRole('menu');
    await menu
      .getByRole('menuitem', { name: entry })
      .or(menu.getByRole('menuitemradio', { name: entry }))
      .click();
    await expect(menu).toBeHidden();
  }

  /** The status line at the bottom, which opens the dock. */
  get statusLine(): Locator {
    return this.page.locator('footer');
  }

  /** Fills in a limit on the settings page and leaves the field. Empty: no limit. */
  async setLimit(name: string, figure: string): Promise<void> {
    const field = this.page.getByRole('textbox', { name, exact: true });
    await field.fill(figure);
    await field.press('Enter');
  }

  get jobs(): Locator {
    return this.page.getByRole('list', { name: 'Jobs' });
  }

  job(identifier: string, direction: 'upload' | 'download', state: string): Locator {
    return this.jobs.getByRole('listitem', { name: `${identifier}, deferred ${direction}, ${state}` });
  }

  /** Clicks a row until only it is selected: while a list loads, another row may take its place under the pointer. */
  private async select(identifier: string): Promise<void> {
    await expect(async () => {
      await this.row(identifier).click();
      await expect(this.objects.getByRole('row', { selected: true })).toHaveCount(1, { timeout: 1000 });
      await expect(this.row(identifier)).toHaveAttribute('aria-selected', 'true', { timeout: 1000 });
    }).toPass();
  }

  async downloadDeferred(identifier: string): Promise<void> {
    await this.select(identifier);
    await this.selectionBar.getByRole('button', { name: 'Download deferred' }).click();
  }

  get sheet(): Locator {
    return this.page.getByRole('dialog', { name: 'Upload' });
  }

  async tryOnThisComputer(): Promise<void> {
    await expect(this.page.getByRole('heading', { name: 'Welcome to Coffer' })).toBeVisible();
    await this.page.getByRole('button', { name: 'Try it on this computer' }).click();
    await this.expectReady('This computer');
    // Where each identifier is a row, whatever its folder.
    await this.showAll();
  }

  async expectReady(serviceName: string): Promise<void> {
    await expect(this.page.getByRole('button', { name: `Service ${serviceName}, Ready` })).toBeVisible();
  }

  /** Connects on the first screen. */
  async connect(connection: Connection): Promise<void> {
    await this.page.getByRole('button', { name: 'Connect to a service' }).click();
    await this.finishConnection(connection);
  }

  /** Adds a further service from the switcher. */
  async addService(connection: Connection): Promise<void> {
    await this.chooseFromSwitcher('Add a service…');
    await this.finishConnection(connection);
  }

  async switchTo(serviceName: string): Promise<void> {
    await this.chooseFromSwitcher(serviceName);
    await this.expectReady(serviceName);
  }

  async chooseFromSwitcher(entry: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Service / }).click();
    await this.page
      .getByRole('menu')
      .getByRole('menuitem', { name: new RegExp(`^${escapePattern(entry)}`) })
      .click();
  }

  private async finishConnection(connection: Connection): Promise<void> {
    await this.fillConnection(connection);
    await this.page.getByRole('button', { name: 'Connect', exact: true }).click();
    await this.expectReady(connection.name);
    await this.showAll();
  }

  async fillConnection(connection: Connection): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Name', exact: true }).fill(connection.name);
    await this.page.getByRole('textbox', { name: 'Base address' }).fill(connection.baseAddress);
    await this.page.getByRole('textbox', { name: 'Access token' }).fill(connection.token);
  }

  async showTab(name: 'Details' | 'Transfers' | 'Jobs'): Promise<void> {
    await this.page.getByRole('tablist', { name: 'Activity' }).getByRole('tab', { name }).click();
  }

  /** Without it, the answers of the service decide how many files move at once. */
  async limitFiles(most: number): Promise<void> {
    await this.openSettings();
    await this.setLimit('Files at once', String(most));
    await this.showAll();
  }

  async openSettings(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Collections' })
      .getByRole('link', { name: 'Settings' })
      .click();
    await expect(this.page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
    // Long forms scroll within the window.
    const beyond = () =>
      this.page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight);
    await expect.poll(beyond).toBe(0);
  }

  get newToken(): Locator {
    return this.page.getByRole('dialog', { name: 'Enter a new token' });
  }

  /** Enters a token in its dialog. */
  async giveToken(token: string): Promise<void> {
    await this.newToken.getByRole('textbox', { name: 'Access token' }).fill(token);
    await this.newToken.getByRole('button', { name: 'Use this token' }).click();
  }

  /** Sets the object limit: larger files are uploaded in parts of half this size. */
  async limitObjects(largestBytes: number): Promise<void> {
    await this.chooseFromSwitcher('Edit');
    const limit = this.page.getByRole('textbox', { name: 'Largest object' });
    const optional = this.page.getByRole('button', { name: 'Optional' });
    if ((await optional.getAttribute('aria-expanded')) === 'false') await optional.click();
    await limit.fill(String(largestBytes));
    await expect(this.page.getByRole('switch', { name: 'Store larger files in parts' })).toBeChecked();
    await this.page.getByRole('button', { name: 'Save', exact: true }).click();
    // Wait until the form is saved and closed, before a test drops files.
    await expect(limit).toBeHidden();
    await this.showAll();
  }

  /** Opens the top of the folders. */
  async showFiles(): Promise<void> {
    await this.collection('Files').click();
    await expect(this.page.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible();
  }

  /** Opens the list of all objects. */
  async showAll(): Promise<void> {
    await this.collection('All objects').click();
    await expect(this.page.getByRole('heading', { name: 'All objects', level: 1 })).toBeVisible();
  }

  get joining(): Locator {
    return this.page.getByRole('dialog', { name: 'Join a team’s list' });
  }

  /** In the join dialog: enters the invitation, up to the confirmation. */
  async giveInvitation(invitation: string): Promise<void> {
    await this.joining.getByRole('textbox', { name: 'Invitation' }).fill(invitation);
    await this.joining.getByRole('button', { name: 'Continue' }).click();
    await expect(this.joining).toContainText('Whoever owns the database');
  }

  async join(): Promise<void> {
    await this.joining.getByRole('button', { name: 'Join', exact: true }).click();
    await expect(this.joining).toBeHidden();
    const live = this.statusLine.getByRole('button', { name: /^Team’s list: Live( · \d+ people)?$/ });
    await expect(live).toBeVisible();
  }

  /** The region for messages; each goes after some seconds, or when the next one comes. */
  get messages(): Locator {
    return this.page.getByRole('status', { name: 'Messages' });
  }

  get urgentMessages(): Locator {
    return this.page.getByRole('alert', { name: 'Urgent messages' });
  }

  /** Downloads to the service's download folder. */
  async download(identifier: string): Promise<void> {
    await this.select(identifier);
    await this.selectionBar.getByRole('button', { name: 'Download', exact: true }).click();
    await this.showTab('Transfers');
  }

  async saveAs(identifier: string): Promise<void> {
    await this.row(identifier).click({ button: 'right' });
    await this.page.getByRole('menuitem', { name: 'Save as…' }).click();
    await this.showTab('Transfers');
  }

  /** Types into the picker and chooses the option of this name; those used lately stand above all of them. */
  async chooseClassification(value: string): Promise<void> {
    const picker = this.sheet.getByRole('combobox', { name: 'Classification' });
    await picker.click();
    await picker.fill(value);
    const options = this.page.getByRole('option', { name: new RegExp(`^${escapePattern(value)}`) });
    await options.last().click();
    await expect(picker).toHaveValue(value);
  }

  /** Naming, request, and what to do with existing objects; they stay unfolded. */
  async unfoldOptions(): Promise<void> {
    const options = this.sheet.getByRole('button', { name: /^Options:/ });
    if ((await options.getAttribute('aria-expanded')) === 'false') await options.click();
  }

  /** Chooses in the sheet: New version, Replace, Keep both. */
  async chooseIfExists(answer: string): Promise<void> {
    await this.unfoldOptions();
    await this.sheet.getByRole('combobox', { name: 'If it exists' }).click();
    await this.page.getByRole('option', { name: new RegExp(`^${escapePattern(answer)}`) }).click();
  }

  /** The conflict prompt. */
  get question(): Locator {
    return this.page.getByRole('dialog', { name: /already exists$/ });
  }

  async startUpload(count: number): Promise<void> {
    const label = count === 1 ? 'Upload 1 object' : `Upload ${count} objects`;
    const isFirst = count === 1 && (await this.page.getByRole('grid', { name: 'Objects' }).count()) === 0;
    await this.sheet.getByRole('button', { name: label, exact: true }).click();
    await expect(this.sheet).toBeHidden();
    if (!isFirst) return;
    // The first object is shown in Details, unless the request was deferred.
    await expect(this.page.getByRole('tab', { name: /^(Details|Jobs)/, selected: true })).toBeVisible();
    if (await this.page.getByRole('tab', { name: 'Details', selected: true }).isVisible())
      await this.showTab('Transfers');
  }

  async expectStored(identifier: string): Promise<void> {
    await expect(this.row(identifier)).toContainText('Stored');
  }
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
