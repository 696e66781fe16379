import { Option, type Command } from 'commander';
import { helpTexts as texts } from './help-texts.ts';

class ForceOption extends Option {
  override attributeName(): string {
    return 'yes';
  }
}

/** Adds `--yes`, and `--force` as another name for it. */
export function addYes(command: Command, description: string): Command {
  return command.option('-y, --yes', description).addOption(new ForceOption('-f, --force', texts.likeYes));
}
