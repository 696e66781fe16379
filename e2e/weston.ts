import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const folders = (process.env['PATH'] ?? '').split(delimiter);
/** Whether a Wayland display can be started. */
export const hasWeston = folders.some((folder) => existsSync(join(folder, 'weston')));

export type Weston = {
  /** For programs that are to show their windows there. */
  env: NodeJS.ProcessEnv;
  /** Opens a window of another program, which gets the focus. @returns closes it */
  openOther: () => () => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts a Wayland display, in a window of this X display: without one it has no keyboard, and so no clipboard. */
export async function startWeston(folder: string, display: NodeJS.ProcessEnv): Promise<Weston> {
  mkdirSync(folder, { mode: 0o700 });
  const env = { XDG_RUNTIME_DIR: folder, WAYLAND_DISPLAY: 'wayland-test' };
  // As large as the display: on weston's usual 1024 × 640 the window is too narrow for its activity panel.
  const size = ['--width=1600', '--height=1000'];
  const args = ['--backend=x11-backend.so', '--use-pixman', '--no-config', '--idle-time=0', ...size];
  const weston = spawn('weston', [...args, `--socket=${env.WAYLAND_DISPLAY}`], {
    env: { ...process.env, ...display, ...env },
    stdio: 'ignore',
  });
  while (!existsSync(join(folder, env.WAYLAND_DISPLAY))) {
    if (weston.exitCode !== null) throw new Error(`weston has ended (${weston.exitCode})`);
    await delay(50);
  }
  return {
    env,
    openOther() {
      const other = spawn('weston-terminal', { env: { ...process.env, ...env }, stdio: 'ignore' });
      return () => end(other);
    },
    stop: () => end(weston),
  };
}

async function end(program: ChildProcess): Promise<void> {
  const ended = once(program, 'exit');
  program.kill();
  await ended;
}
