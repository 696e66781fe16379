import { app } from 'electron';

/**
 * Whether the installed app was started as if it were the command. It would open the window and exit with 0 without doing anything, so it
 * says which program the command is, and exits with 2. Call before taking the single-instance lock.
 */
export function refuseWords(
  argv: readonly string[],
  appImage: string | undefined,
  write: (text: string) => unknown,
): boolean {
  // The arguments of an unpackaged run include the app's folder.
  const [word] = app.isPackaged ? argv.slice(1).filter((each) => !each.startsWith('-')) : [];
  // Desktops pass files that are dropped on the icon.
  if (word === undefined || /^([a-z]+:|[\\/])/i.test(word)) return false;
  write(
    `Error: this is Coffer’s window, and takes no words like ${JSON.stringify(word)}. ${whereCommandIs(appImage)}\n`,
  );
  app.exit(2);
  return true;
}

/** An AppImage does not install the command. */
function whereCommandIs(appImage: string | undefined): string {
  if (!appImage) return 'The command is “coffer”.';
  return `The command is “coffer”, which “'${appImage}' --appimage-extract 'resources/command/*'” unpacks from it.`;
}
