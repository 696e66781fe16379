export type Bounds = { x: number; y: number; width: number; height: number };
type Size = Pick<Bounds, 'width' | 'height'>;
/** Without x and y on Wayland, which neither reports nor accepts a position. */
export type WindowState = { bounds: Bounds | Size; isMaximized: boolean };

export const minimumSize = { width: 900, height: 600 } as const;
export const defaultSize = { width: 1280, height: 800 } as const;

/** How much of the window's top edge must be on a display, in pixels, so that it can be seen and dragged. */
const graspable = { width: 120, height: 40 } as const;

const areIntegers = (value: object, keys: readonly string[]) =>
  keys.every((key) => Number.isSafeInteger((value as Record<string, unknown>)[key]));
const isSize = (value: unknown): value is Size =>
  typeof value === 'object' && value !== null && areIntegers(value, ['width', 'height']);
const isBounds = (value: Size): value is Bounds => areIntegers(value, ['x', 'y']);

/** The saved state if it fits these displays' work areas, else null. @param hasPositions false: only its size counts */
export function checkWindowState(
  value: unknown,
  workAreas: readonly Bounds[],
  hasPositions: boolean,
): WindowState | null {
  if (typeof value !== 'object' || value === null || !('bounds' in value) || !isSize(value.bounds))
    return null;
  const { bounds } = value;
  const width = Math.max(bounds.width, minimumSize.width);
  const height = Math.max(bounds.height, minimumSize.height);
  const isMaximized = 'isMaximized' in value && value.isMaximized === true;
  if (!hasPositions || !('x' in bounds || 'y' in bounds)) return { bounds: { width, height }, isMaximized };
  if (!isBounds(bounds)) return null;
  const { x, y } = bounds;
  const isReachable = workAreas.some(
    (area) =>
      Math.min(x + width, area.x + area.width) - Math.max(x, area.x) >= graspable.width &&
      y >= area.y &&
      y + graspable.height <= area.y + area.height,
  );
  if (!isReachable) return null;
  return { bounds: { x, y, width, height }, isMaximized };
}
