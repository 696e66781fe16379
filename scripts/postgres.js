/* npm run postgres: installs PostgreSQL for the tests of a team, which `npm test` does by itself. */
import { installPostgres } from './setup.js';

process.exitCode = (await installPostgres()) ? 0 : 1;
