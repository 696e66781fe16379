interface Claim<Who> {
  /** Everybody who ever asked, in this order; from `first` on, the first one who still wants it has it. */
  readonly line: Who[];
  first: number;
  readonly wanting: Set<Who>;
}

/** Who wants which identifier: the first who asked has it, and the next gets it when that one withdraws. */
export interface IdentifierOwners<Who> {
  ownerOf(identifier: string): Who | undefined;
  add(identifier: string, who: Who): void;
  /** Answers who has it from now on, undefined for nobody. */
  withdraw(identifier: string, who: Who): Who | undefined;
}

/** Each call costs the same, however many want the same identifier. */
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
