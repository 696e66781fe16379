/** Identifiers that Coffer makes for objects of its own: docs/parts.md and docs/replace.md say what is stored there. */

/** Whether an identifier has the form that Coffer gives only to chunks. */
export function isChunkId(identifier: string): boolean {
  return /~p-[0-9a-f]{32}-[0-9]{5}$/.test(identifier);
}

/** The object beside which a Replace (`steps/replace`) put this name; any other identifier is its own owner. */
export function ownerOf(identifier: string): string {
  return identifier.replace(/~[or]-[0-9a-f]{16}$/, '');
}

/** Whether a Replace has put this copy beside the object until it is done. */
export function isStagedCopy(identifier: string): boolean {
  return /~r-[0-9a-f]{16}$/.test(identifier);
}

/** Such an object may be the only one with its bytes: no folder, pattern or missing file may delete it. */
export function isMadeByCoffer(identifier: string): boolean {
  return isChunkId(identifier) || ownerOf(identifier) !== identifier;
}
