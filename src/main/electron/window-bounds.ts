export type Bounds = { x: number; y: number; width: number; height: number };
export type WindowState = { bounds: Bounds; isMaximized: boolean };

export const minimumSize = { width: 900, height: 600 } as const;
export const defaultSize = { width: 1280, height: 800 } as const;

/** How much of the window's top edge must be on a display, in pixels, so that it can be seen and dragged. */
const graspable = { width: 120, height: 40 } as const;

const isBounds = (value: unknown): value is Bounds =>
  typeof value === 'object' &&
  value !== null &&
  ['x', 'y', 'width', 'height'].every((key) => Number.isSafeInteger((value as Record<string, unknown>)[key]));

/** The saved state if it fits these displays' work areas, else null. */
export function checkWindowState(value: unknown, workAreas: readonly Bounds[]): WindowState | null {
  if (typeof value !== 'object' || value === null || !('bounds' in value) || !isBounds(value.bounds))
    return null;
  const { x, y } = value.bounds;
  const width = Math.max(value.bounds.width, minimumSize.width);
  const height = Math.max(value.bounds.height, minimumSize.height);
  const isReachable = workAreas.some(
    (area) =>
      Math.min(x + width, area.x + area.width) - Math.max(x, area.x) >= graspable.width &&
      y >= area.y &&
      y + graspable.height <= area.y + area.height,
  );
  if (!isReachable) return null;
  return {
    bounds: { x, y, width, height },
    isMaximized: 'isMaximized' in value && value.isMaximized === true,
  };
}
