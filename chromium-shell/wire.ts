/**
 * Structured clone as JSON: carries what Electron's IPC carries, and refuses what it refuses. Self-contained, because
 * the same source runs in the window (`createWire.toString()`).
 */
export function createWire(): { encode: (value: unknown) => string; decode: (text: string) => unknown } {
  type Tagged = [tag: string, ...content: unknown[]];

  const toJson = (value: unknown): unknown => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (value === undefined) return ['undefined'];
    if (typeof value === 'number') return Number.isFinite(value) ? value : ['number', String(value)];
    if (typeof value === 'bigint') return ['bigint', String(value)];
    if (Array.isArray(value)) return ['array', ...value.map(toJson)];
    if (value instanceof Date) return ['date', value.getTime()];
    if (value instanceof Error) return ['error', value.message];
    if (value instanceof Uint8Array)
      return ['bytes', Array.from(value, (byte) => String.fromCharCode(byte)).join('')];
    if (value instanceof Map) return ['map', ...[...value].map(([key, item]) => [toJson(key), toJson(item)])];
    if (value instanceof Set) return ['set', ...[...value].map(toJson)];
    const kind = Object.prototype.toString.call(value);
    if (typeof value !== 'object' || kind !== '[object Object]')
      throw new Error('An object could not be cloned.');
    return ['object', ...Object.entries(value).map(([key, item]) => [key, toJson(item)])];
  };

  const fromJson = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    const [tag, ...content] = value as Tagged;
    const pairs = content as [unknown, unknown][];
    const table: Record<string, () => unknown> = {
      undefined: () => undefined,
      number: () => Number(content[0]),
      bigint: () => BigInt(content[0] as string),
      array: () => content.map(fromJson),
      date: () => new Date(content[0] as number),
      error: () => new Error(content[0] as string),
      bytes: () => Uint8Array.from(content[0] as string, (letter) => letter.charCodeAt(0)),
      map: () => new Map(pairs.map(([key, item]) => [fromJson(key), fromJson(item)])),
      set: () => new Set(content.map(fromJson)),
      // fromEntries defines "__proto__" as an ordinary property.
      object: () => Object.fromEntries(pairs.map(([key, item]) => [key, fromJson(item)])),
    };
    return table[tag]?.();
  };

  return {
    encode: (value) => JSON.stringify(toJson(value)),
    decode: (text) => fromJson(JSON.parse(text)),
  };
}

export const { encode, decode } = createWire();
