import type { Command } from 'commander';
import { ClassificationOption } from './classification-option.ts';
import { helpTexts as texts } from './help-texts.ts';

/** Number of words that are the command's own; it passes the others on unchanged. */
const ownWords = new Map([
  ['run', 1],
  ['_complete', 0],
]);

/**
 * Refuses empty arguments and option values of all commands. They usually come from an unset variable, and an empty path would mean
 * the current folder.
 */
export function refuseEmpty(program: Command): void {
  program.hook('preAction', (_program, command) => {
    const { args, registeredArguments: known } = command;
    args.slice(0, ownWords.get(command.name())).forEach((word, index) => {
      if (word === '') refuse(command, `<${(known[index] ?? known.at(-1))?.name() ?? ''}>`);
    });
    for (const each of [command, program])
      for (const option of each.options) {
        const name = option.attributeName();
        const value: unknown = each.opts()[name];
        if (!(option instanceof ClassificationOption) && [value].flat().includes(''))
          refuse(command, option.long ?? name);
      }
  });
}

function refuse(command: Command, name: string): never {
  return command.error(`error: ${texts.empty({ name })}`);
}
