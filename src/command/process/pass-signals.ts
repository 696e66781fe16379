import type { CommandIo } from '../terminal/io.ts';

const passed: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'];
const ofTerminal: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

/**
 * Forwards signals to a program, except those that the terminal sends to it directly. Call it before the program starts: a signal that
 * nothing listens to ends this process. Returns a function that stops this.
 */
export function passSignals(io: CommandIo, pass: (signal: NodeJS.Signals) => void): () => void {
  const passUnlessSent = (signal: NodeJS.Signals) => {
    if (!io.isInForeground()) pass(signal);
  };
  const stops = [
    ...(io.platform === 'win32' ? [] : passed).map((signal) => io.onSignal(signal, pass)),
    ...ofTerminal.map((signal) => io.onSignal(signal, passUnlessSent)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
