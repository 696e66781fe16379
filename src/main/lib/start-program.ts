import { spawn } from 'node:child_process';

/**
 * The environment without the additions of an AppImage's start script (AppRun: PATH, LD_LIBRARY_PATH, XDG_DATA_DIRS,
 * GSETTINGS_SCHEMA_DIR): other programs must not load Coffer's libraries.
 * @example spawn('xdg-open', [path], { env: outsideAppImage(process.env) })
 */
export function outsideAppImage(environment: NodeJS.ProcessEnv): Record<string, string> {
  const { APPDIR: inside, APPIMAGE: _file, ARGV0: _name, OWD: _folder, ...rest } = environment;
  const isOutside = (path: string) => !inside || (path !== inside && !path.startsWith(`${inside}/`));
  return Object.fromEntries(
    Object.entries(rest).flatMap(([name, value = '']) => {
      const kept = value.split(':').filter(isOutside).join(':');
      return kept === '' && value !== '' ? [] : [[name, kept]];
    }),
  );
}

/**
 * A program that has not failed after this long, in ms, counts as started. xdg-open exits at once if the desktop opens the file, and
 * keeps running if it starts the program itself.
 */
const failsWithinMs = 2_000;

type Options = {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The program's exit code does not tell whether it failed. */
  ignoresCode?: boolean;
  /** Windows: the arguments are passed as they are, for a program that does not read quotes as C programs do. */
  isVerbatim?: boolean;
};

/**
 * Starts a program that runs on when this process ends.
 * @returns false: it is not installed, or failed; settles within two seconds and never rejects
 * @example await startProgram('xdg-open', [path], { cwd: dirname(path), env: outsideAppImage(process.env) })
 */
export function startProgram(
  program: string,
  args: readonly string[],
  { cwd, env, ignoresCode = false, isVerbatim = false }: Options,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: 'ignore',
      detached: true,
      windowsHide: true,
      windowsVerbatimArguments: isVerbatim,
      cwd,
      env,
    });
    const limit = setTimeout(() => resolve(true), failsWithinMs);
    const end = (isStarted: boolean) => {
      clearTimeout(limit);
      resolve(isStarted);
    };
    child.on('error', () => end(false));
    child.on('exit', (code) => end(ignoresCode || code === 0));
    child.unref();
  });
}
