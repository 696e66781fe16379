/*
 * Fails if npm knows a vulnerability in what Coffer ships: Electron, and the packages that are neither for development nor optional
 * (as in licences.js). Lists those of the other packages. Not every registry answers: then says so, and succeeds.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf, root } from './tools.js';

const output = outputOf(['npm', 'audit', '--package-lock-only', '--json']);
const report = parse(output);

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

if (!report.vulnerabilities) {
  // Shown by GitHub above the log, which nobody reads while a run is green.
  console.log(`::warning::Not audited, no answer from the registry: ${report.message ?? 'npm said nothing'}`);
} else {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const isShipped = (folder) =>
    folder === 'node_modules/electron' || !(packages[folder]?.dev || packages[folder]?.optional);
  const found = Object.values(report.vulnerabilities).map(({ name, severity, nodes, via }) => ({
    line: `${severity}: ${name}, ${via.map((cause) => cause.url ?? `by ${cause}`).join(', ')}`,
    ships: nodes.some(isShipped),
  }));
  for (const { line, ships } of found) console.log(ships ? `SHIPPED ${line}` : `for development ${line}`);
  const count = found.filter(({ ships }) => ships).length;
  console.log(`${count} vulnerable packages are shipped`);
  if (count > 0) process.exitCode = 1;
}
