import { z } from 'zod';

/** What is wrong with a team's server, or with this person there. */
export const teamWhySchema = z.enum([
  'unreachable',
  /** An address in the local network, which macOS may keep Coffer out of. */
  'localNetwork',
  'closed',
  'silent',
  /** Its connection limit is reached. */
  'busy',
  /** Its certificate is not trusted, or belongs to another host. */
  'certificate',
  'clientCertificate',
  /** It offers no TLS, or none that is accepted here. */
  'encryption',
  /** Its answers are not PostgreSQL's, or too large. */
  'broken',
  /** It refuses the role or its password. */
  'login',
  /** It asks for the password itself, or does not prove that it knows it. */
  'unsafeLogin',
  /** The role lacks rights that every member has. */
  'noAccess',
  /** The role is no longer a member. */
  'ended',
  /** An old PostgreSQL, which leaks rows that policies hide. */
  'oldServer',
  /** No such database, or no team's schema in it. */
  'noTeam',
  'otherSchema',
  /** An earlier Coffer made it, and showed members more than they may see. */
  'oldSchema',
  'full',
  'locked',
  'readOnly',
  /** Its functions are those of a newer Coffer. */
  'newer',
  'fault',
]);
export type TeamWhy = z.infer<typeof teamWhySchema>;
