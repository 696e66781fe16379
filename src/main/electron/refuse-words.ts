import { app } from 'electron';

/**
 * Whether the installed program was started as if it was the command. It would open the window and end with 0, with nothing stored: so it
 * says which program the command is, and ends with 2. Call before the lock of the only instance is taken.
 */
export function refuseWords(
  argv: readonly string[],
  appImage: string | undefined,
  write: (text: string) => unknown,
): boolean {
  // An unpackaged run has the folder of the app among its arguments.
  const [word] = app.isPackaged ? argv.slice(1).filter((each) => !each.startsWith('-')) : [];
  // Desktops start it with a file that is dropped on its icon.
  if (word === undefined || /^([a-z]+:|[\\/])/i.test(word)) return false;
  write(
    `Error: this is Coffer’s window, and takes no words like ${JSON.stringify(word)}. ${whereCommandIs(appImage)}\n`,
  );
  app.exit(2);
  return true;
}

/** An AppImage installs nothing. */
function whereCommandIs(appImage: string | undefined): string {
  if (!appImage) return 'The command is “coffer”.';
  return `The command is “coffer”, which “'${appImage}' --appimage-extract 'resources/command/*'” unpacks from it.`;
}
