import { z } from 'zod';

/** What is wrong with a team's server, or with this person there. */
export const teamWhySchema = z.enum([
  'unreachable',
  'closed',
  'silent',
  /** It has as many connections as it takes. */
  'busy',
  /** Its certificate is not trusted, or is another's. */
  'certificate',
  'clientCertificate',
  /** It offers no TLS, or none that is accepted here. */
  'encryption',
  /** Its answers are none that a PostgreSQL gives, or too large. */
  'broken',
  /** It refuses the role or its password. */
  'login',
  /** It asks for the password itself, or does not prove that it knows it. */
  'unsafeLogin',
  /** The role may not do what every member may. */
  'noAccess',
  /** The role is no member of the team any more. */
  'ended',
  /** An old PostgreSQL, which shows what policies hide. */
  'oldServer',
  /** There is no such database, or no schema of a team in it. */
  'noTeam',
  'otherSchema',
  'full',
  'locked',
  'readOnly',
  /** Its functions are those of a newer Coffer. */
  'newer',
  'fault',
]);
export type TeamWhy = z.infer<typeof teamWhySchema>;
