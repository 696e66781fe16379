interface Queue<Candidate> {
  /** All candidates in order; from `first` on, the first one that has not withdrawn is the owner. */
  readonly line: Candidate[];
  first: number;
  readonly wanting: Set<Candidate>;
}

/** The first candidate for an identifier owns it; when it withdraws, the next takes over. */
export interface IdentifierOwners<Candidate> {
  ownerOf(identifier: string): Candidate | undefined;
  add(identifier: string, candidate: Candidate): void;
  /** Returns the new owner; undefined: none. */
  withdraw(identifier: string, candidate: Candidate): Candidate | undefined;
}

/** The cost of a call does not depend on the number of candidates. */
export function createIdentifierOwners<Candidate>(): IdentifierOwners<Candidate> {
  const queues = new Map<string, Queue<Candidate>>();

  function ownerOf(identifier: string): Candidate | undefined {
    const queue = queues.get(identifier);
    return queue?.line[queue.first];
  }

  return {
    ownerOf,
    add(identifier, candidate) {
      const queue = queues.get(identifier);
      if (!queue) queues.set(identifier, { line: [candidate], first: 0, wanting: new Set([candidate]) });
      else if (!queue.wanting.has(candidate)) {
        queue.wanting.add(candidate);
        queue.line.push(candidate);
      }
    },
    withdraw(identifier, candidate) {
      const queue = queues.get(identifier);
      if (!queue?.wanting.delete(candidate)) return ownerOf(identifier);
      if (queue.wanting.size === 0) queues.delete(identifier);
      else {
        let owner = queue.line[queue.first];
        while (owner !== undefined && !queue.wanting.has(owner)) owner = queue.line[++queue.first];
      }
      return ownerOf(identifier);
    },
  };
}
