import { app, dialog, powerMonitor, type BrowserWindow, type MessageBoxOptions } from 'electron';
import { mainTexts } from '../texts.ts';
import { productName } from '../identity.ts';
import type { Background } from '../background.ts';
import type { Desktop, Log } from '../ports.ts';
import type { TrayKeeper } from './tray.ts';
import { focusWindow, hideWindow } from './window.ts';

const texts = mainTexts.quit;

/**
 * An open deferred request, with the time when its answer expires; null: a secret that is not sent yet and exists only
 * in memory.
 */
export type AtStake = { identifier: string; windowEndsAtMs: number | null };

/** An object being edited in place, which continues at the next start; isSaved: everything saved is stored. */
export type OpenEdit = { identifier: string; isSaved: boolean };

export type QuitGuardOptions = {
  getWindow: () => BrowserWindow | null;
  coffer: {
    atStake: () => AtStake[];
    openEdits: () => OpenEdit[];
    background: Pick<Background, 'keepsRunning' | 'showsIcon' | 'isBusy' | 'isFirstTime'>;
    servesCommands: () => boolean;
  };
  tray: TrayKeeper;
  desktop: Pick<Desktop, 'notify'>;
  /** Whether the desktop shows an icon or a notification of a program without a window. */
  showsSigns: () => Promise<boolean>;
  log: Log;
};

export type QuitGuard = {
  /** Handles requests to close this window. */
  guard: (window: BrowserWindow) => void;
  /** For `before-quit`. Asks at most once; an agreement stays. */
  mayQuit: () => Promise<boolean>;
  /** Ends all questions: an open one counts as answered with Quit. */
  agree: () => void;
};

type Answer = 'quit' | 'hide' | 'stay';
/** The buttons of the question, in order. */
const answers: readonly Answer[] = ['hide', 'quit', 'stay'];

/**
 * For this long after the session began to end, in ms, quitting counts as the system's request. No system waits
 * longer for a program.
 */
const sessionEndMs = 60_000;

/** How often a hidden Coffer checks whether it is still needed, in ms. Open edits and requests emit no event. */
const checkEveryMs = 5_000;

/**
 * Call after `ready`. When the person closes the window while work is under way, or the icon is always shown: hides the window if the
 * setting says so and the desktop shows a sign of it; without a sign it asks. Otherwise asks if something would be lost. Quitting always asks, because hiding could never quit. Does not ask when
 * the session ends or the window is gone. A hidden Coffer quits by itself once there is nothing left to do, unless the icon is always
 * shown: without an icon, nobody would know that it still runs.
 *
 * `powerMonitor`'s `shutdown` (Linux, macOS) is emitted "when the system is about to reboot or shut down", and there is no event when
 * another program prevents that: so it counts only for `sessionEndMs`.
 */
export function createQuitGuard(options: QuitGuardOptions): QuitGuard {
  const { getWindow, coffer, tray, desktop, showsSigns, log } = options;
  const { background } = coffer;
  let hasAgreed = false;
  let sessionEndedAtMs = -Infinity;
  let asking: Promise<Answer> | null = null;
  /** Answers the open question in the person's place. */
  let answerFor: (answer: Answer) => void = () => undefined;
  // Electron registers with logind for shutdowns only if the first listener of `powerMonitor` is for another event: while adding the
  // first one, it does not count that yet (lib/browser/api/power-monitor.ts).
  powerMonitor.on('suspend', () => undefined);
  powerMonitor.on('shutdown', () => {
    sessionEndedAtMs = performance.now();
    answerFor('quit');
  });

  const isNothingOpen = () => coffer.atStake().length + coffer.openEdits().length === 0;
  const isWanted = () => !isNothingOpen() || background.isBusy() || background.showsIcon();
  const isAgreed = () => hasAgreed || performance.now() - sessionEndedAtMs < sessionEndMs;

  async function ask(window: BrowserWindow, isUnseen: boolean): Promise<Answer> {
    const question = questionOf(coffer.atStake(), Date.now(), coffer.openEdits(), isUnseen);
    try {
      const { response } = await (window.isVisible()
        ? dialog.showMessageBox(window, question)
        : dialog.showMessageBox(question));
      return answers[response] ?? 'stay';
    } catch (cause) {
      log.error('the question before quitting could not be asked', { cause });
      return 'quit';
    }
  }

  let looking: NodeJS.Timeout | undefined;
  function setHidden(isHidden: boolean): void {
    tray.windowHidden(isHidden);
    clearInterval(looking);
    if (isHidden) looking = quitWhenIdle();
  }

  function quitWhenIdle(): NodeJS.Timeout {
    let wasIdle = false;
    return setInterval(() => {
      const isIdle = !isWanted() && !coffer.servesCommands();
      // The next transfer may begin a moment later.
      if (isIdle && wasIdle) app.quit();
      wasIdle = isIdle;
    }, checkEveryMs).unref();
  }

  function hide(window: BrowserWindow): void {
    hideWindow(window, () => {
      setHidden(true);
      if (!background.isFirstTime()) return;
      const { background: title, backgroundText, backgroundQuitsText } = mainTexts.notification;
      desktop.notify({ title, body: background.showsIcon() ? backgroundText : backgroundQuitsText });
    });
  }

  function askOnce(window: BrowserWindow, isUnseen: boolean): Promise<Answer> {
    if (asking) return asking;
    const answered = new Promise<Answer>((resolve) => (answerFor = resolve));
    asking = Promise.race([ask(window, isUnseen), answered]).finally(() => {
      asking = null;
    });
    return asking;
  }

  async function hideOrAsk(window: BrowserWindow): Promise<void> {
    const isSeen = await showsSigns();
    if (isAgreed() || getWindow() === null) return;
    if (isSeen) hide(window);
    else if (await decide(window, true)) app.quit();
  }

  /** @param isUnseen nothing would be seen of a hidden Coffer, and the question says so */
  async function decide(window: BrowserWindow, isUnseen = false): Promise<boolean> {
    const answer = await askOnce(window, isUnseen);
    if (answer === 'hide') hide(window);
    if (answer === 'quit') hasAgreed = true;
    return isAgreed();
  }

  return {
    guard(window) {
      // A click on the icon in macOS's dock.
      if (process.platform === 'darwin') app.on('activate', () => focusWindow(window));
      // macOS also emits `show` for a window that was covered, which may be hidden by then, and for a minimised one before it is restored.
      window.on('show', () => window.isVisible() && setHidden(false));
      window.on('focus', () => setHidden(false));
      window.on('close', (event) => {
        if (isAgreed()) return;
        if (background.keepsRunning() && isWanted()) {
          event.preventDefault();
          void hideOrAsk(window);
        } else if (!isNothingOpen()) {
          event.preventDefault();
          void decide(window).then((isLeaving) => isLeaving && app.quit());
        }
      });
    },
    async mayQuit() {
      const window = getWindow();
      if (window !== null && !isAgreed() && !isNothingOpen()) return decide(window);
      hasAgreed = true;
      return true;
    },
    agree() {
      hasAgreed = true;
      answerFor('quit');
    },
  };
}

const maxNames = 8;

/** The question, with what would be lost and what would not. */
export function questionOf(
  atStake: readonly AtStake[],
  nowMs: number,
  edits: readonly OpenEdit[] = [],
  isUnseen = false,
): MessageBoxOptions & { buttons: string[] } {
  const endOf = ({ windowEndsAtMs }: AtStake) => windowEndsAtMs ?? Infinity;
  const soonest = [...atStake].sort((a, b) => endOf(a) - endOf(b));
  const unsavedFirst = [...edits].sort((a, b) => Number(a.isSaved) - Number(b.isSaved));
  const all = [
    ...soonest.map((one) => texts.entry({ identifier: one.identifier, left: leftOf(one, nowMs) })),
    ...unsavedFirst.map(({ identifier, isSaved }) =>
      texts.entry({ identifier, left: isSaved ? texts.editSaved : texts.editUnsaved }),
    ),
  ];
  const more = all.length - Math.min(all.length, maxNames);
  return {
    type: 'warning',
    title: productName,
    message: all.length > 0 ? texts.title({ open: openWords(atStake, edits) }) : texts.unseenTitle,
    detail: [
      ...(isUnseen ? [texts.unseen] : []),
      ...(atStake.length > 0 ? [lossWords(atStake), texts.others] : []),
      ...(edits.length > 0 ? [editWords(edits)] : []),
      ...(all.length > 0 ? [''] : []),
      ...all.slice(0, maxNames),
      ...(more > 0 ? [texts.more({ count: more })] : []),
    ].join('\n'),
    buttons: answers.map((answer) => texts[answer]),
    // Never Quit, which loses what is at stake: the question may come under a hand.
    defaultId: answers.indexOf('hide'),
    cancelId: answers.indexOf('stay'),
    noLink: true,
  };
}

/** `2 deferred requests open and 1 secret not sent`. */
function openWords(atStake: readonly AtStake[], edits: readonly OpenEdit[]): string {
  const secrets = atStake.filter(isSecret).length;
  const requests = atStake.length - secrets;
  const [first = '', second, third] = [
    ...(requests > 0 ? [texts.requests({ count: requests })] : []),
    ...(secrets > 0 ? [texts.secrets({ count: secrets })] : []),
    ...(edits.length > 0 ? [texts.edits({ count: edits.length })] : []),
  ];
  if (second === undefined) return first;
  return third === undefined ? texts.two({ first, second }) : texts.three({ first, second, third });
}

/** Edits are not lost: says what happens to the saves. */
function editWords(edits: readonly OpenEdit[]): string {
  const count = edits.filter(({ isSaved }) => !isSaved).length;
  return count === 0 ? texts.editsGoOn : texts.savesKept({ count });
}

function lossWords(atStake: readonly AtStake[]): string {
  if (!atStake.some(isSecret)) return texts.lossResults;
  return atStake.every(isSecret) ? texts.lossSecrets : texts.lossBoth;
}

function isSecret({ windowEndsAtMs }: AtStake): boolean {
  return windowEndsAtMs === null;
}

function leftOf({ windowEndsAtMs }: AtStake, nowMs: number): string {
  if (windowEndsAtMs === null) return texts.secret;
  const minutes = Math.floor((windowEndsAtMs - nowMs) / 60_000);
  if (minutes < 0) return texts.past;
  return minutes === 0 ? texts.underMinute : texts.minutesLeft({ count: minutes });
}
