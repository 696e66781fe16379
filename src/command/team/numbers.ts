import { InvalidArgumentError } from 'commander';
import { teamTexts as texts } from './team-texts.ts';

export function toPort(given: string): number {
  const port = /^[1-9][0-9]{0,4}$/.test(given) ? Number(given) : 0;
  if (port < 1 || port > 65_535) throw new InvalidArgumentError(texts.notAPort);
  return port;
}

/** Parses the number of an area or a person, as lists show it. */
export function toNumber(given: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(given)) throw new InvalidArgumentError(texts.notANumber);
  return Number(given);
}
