import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaFile } from '../../src/main/team/schema/steps.ts';

writeFileSync(join(import.meta.dirname, 'schema.sql'), schemaFile());
