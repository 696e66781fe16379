/** Identifiers that Coffer makes for objects of its own: docs/parts.md and docs/replace.md say what is stored there. */

const partId = /^(?<base>.+)~p-(?<upload>[0-9a-f]{32})-(?<index>[0-9]{5})$/s;

/** What the identifier of a part says: the object, its upload, and the number of the part from 0. null: it is none of a part. */
export function readPartId(identifier: string): { base: string; upload: string; index: number } | null {
  const { base, upload, index } = partId.exec(identifier)?.groups ?? {};
  return base === undefined || upload === undefined ? null : { base, upload, index: Number(index) };
}

/** Whether an identifier has the form that Coffer gives only to parts. */
export function isPartId(identifier: string): boolean {
  return partId.test(identifier);
}

/** The object beside which a Replace (`steps/replace`) put this name; any other identifier is its own owner. */
export function ownerOf(identifier: string): string {
  return identifier.replace(/~[or]-[0-9a-f]{16}$/, '');
}

/** An identifier and its owners in turn: a copy beside an object can be replaced itself, and then has copies beside it. */
export function withOwners(identifier: string): string[] {
  const owner = ownerOf(identifier);
  return owner === identifier ? [identifier] : [identifier, ...withOwners(owner)];
}

/** Whether a Replace has put this copy beside the object until it is done. */
export function isStagedCopy(identifier: string): boolean {
  return /~r-[0-9a-f]{16}$/.test(identifier);
}

/** Such an object may be the only one with its bytes: no folder, pattern or missing file may delete it. */
export function isMadeByCoffer(identifier: string): boolean {
  return isPartId(identifier) || ownerOf(identifier) !== identifier;
}
