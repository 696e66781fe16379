import { isPressed, listKeys, type Press } from '../../../shared/keys.ts';

/** What a key means in the grid, apart from commands: `to` is a row, `how` what becomes of the selection. */
export type Intent =
  | { kind: 'go'; to: number; how: 'only' | 'extend' | 'keep' }
  | { kind: 'toggle' }
  | { kind: 'all' }
  | { kind: 'clear' }
  | { kind: 'copy' };

/** @param pageRows how many rows are seen at once */
export function readKey(event: Press, cursor: number, total: number, pageRows: number): Intent | null {
  if (event.altKey) return null;
  const ctrl = event.ctrlKey || event.metaKey;
  const steps: Record<string, number> = {
    ArrowDown: cursor + 1,
    ArrowUp: cursor - 1,
    PageDown: cursor + Math.max(1, pageRows - 1),
    PageUp: cursor - Math.max(1, pageRows - 1),
    Home: 0,
    End: total - 1,
  };
  const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
  if (step !== undefined) {
    if (total === 0) return null;
    const how = event.shiftKey ? 'extend' : ctrl ? 'keep' : 'only';
    return { kind: 'go', to: Math.max(0, Math.min(step, total - 1)), how };
  }
  if (isPressed(listKeys.toggle, event)) return { kind: 'toggle' };
  if (isPressed(listKeys.clear, event)) return { kind: 'clear' };
  if (isPressed(listKeys.all, event)) return { kind: 'all' };
  if (isPressed(listKeys.copy, event)) return { kind: 'copy' };
  return null;
}
