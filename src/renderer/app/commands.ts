import { useEffect, useEffectEvent } from 'react';
import type { Command } from '../../shared/contract.ts';

export type { Command };
type Handler = () => void;

const handlers = new Map<Command, Handler[]>();

/** The most recently registered handler is used. @returns unregisters it */
export function registerCommand(command: Command, handler: Handler): () => void {
  handlers.set(command, [...(handlers.get(command) ?? []), handler]);
  return () => {
    handlers.set(
      command,
      (handlers.get(command) ?? []).filter((other) => other !== handler),
    );
  };
}

/** @returns whether a handler accepted the command */
export function runCommand(command: Command): boolean {
  const handler = handlers.get(command)?.at(-1);
  handler?.();
  return handler !== undefined;
}

/** Handles a command while the component is mounted and `isEnabled`. */
export function useCommand(command: Command, handler: Handler, isEnabled = true): void {
  const run = useEffectEvent(handler);
  useEffect(() => {
    if (!isEnabled) return;
    return registerCommand(command, () => run());
  }, [command, isEnabled]);
}
