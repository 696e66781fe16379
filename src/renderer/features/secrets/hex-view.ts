const lineBytes = 16;

/** `00000010 7f 45 4c 46 …`: offset and sixteen bytes. @param hex two digits per byte */
export function hexLines(hex: string): string[] {
  const bytes = hex.match(/../g) ?? [];
  return Array.from({ length: Math.ceil(bytes.length / lineBytes) }, (_, line) => {
    const start = line * lineBytes;
    return `${start.toString(16).padStart(8, '0')}  ${bytes.slice(start, start + lineBytes).join(' ')}`;
  });
}
