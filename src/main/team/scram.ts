import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(pbkdf2);
/** PostgreSQL's default. */
const iterations = 4096;

/** Too long to guess, of characters that SASLprep (RFC 4013) leaves unchanged. */
export const drawPassword = () => randomBytes(24).toString('base64url');

/**
 * What a server stores of a password (RFC 5802). Sent instead of it, so that neither the server nor its log ever sees it.
 * @param password ASCII
 */
export async function scramVerifier(password: string, salt = randomBytes(16)): Promise<string> {
  const salted = await derive(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const serverKey = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${String(iterations)}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
