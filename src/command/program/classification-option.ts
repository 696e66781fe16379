import { Option, type Command } from 'commander';

/** Its value may be empty: the service's default. */
export class ClassificationOption extends Option {
  override attributeName(): string {
    return 'classification';
  }
}

/** Adds `--classification`, and its alias `--class` for scripts, which help, the manual and completions leave out. */
export function addClassification(command: Command, description: string): Command {
  return command
    .addOption(new ClassificationOption('-c, --classification <value>', description))
    .addOption(new ClassificationOption('--class <value>').hideHelp());
}
