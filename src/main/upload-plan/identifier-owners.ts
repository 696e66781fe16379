interface Claim<Who> {
  /** Everybody who asked, in order; from `first` on, the first who has not withdrawn owns the identifier. */
  readonly line: Who[];
  first: number;
  readonly wanting: Set<Who>;
}

/** Who owns which identifier: the first to ask owns it, and the next takes over when that one withdraws. */
export interface IdentifierOwners<Who> {
  ownerOf(identifier: string): Who | undefined;
  add(identifier: string, who: Who): void;
  /** Returns the owner from now on; undefined: nobody. */
  withdraw(identifier: string, who: Who): Who | undefined;
}

/** The cost of a call does not depend on how many want the same identifier. */
export function createIdentifierOwners<Who>(): IdentifierOwners<Who> {
  const claims = new Map<string, Claim<Who>>();

  function ownerOf(identifier: string): Who | undefined {
    const claim = claims.get(identifier);
    return claim?.line[claim.first];
  }

  return {
    ownerOf,
    add(identifier, who) {
      const claim = claims.get(identifier);
      if (!claim) claims.set(identifier, { line: [who], first: 0, wanting: new Set([who]) });
      else if (!claim.wanting.has(who)) {
        claim.wanting.add(who);
        claim.line.push(who);
      }
    },
    withdraw(identifier, who) {
      const claim = claims.get(identifier);
      if (!claim?.wanting.delete(who)) return ownerOf(identifier);
      if (claim.wanting.size === 0) claims.delete(identifier);
      else {
        let owner = claim.line[claim.first];
        while (owner !== undefined && !claim.wanting.has(owner)) owner = claim.line[++claim.first];
      }
      return ownerOf(identifier);
    },
  };
}
