import { fillTemplate, templateParts } from '../../shared/domain/template.ts';
import { templateTexts as texts } from '../../shared/i18n/template-text.ts';
import { Button } from '../ui/Button.tsx';
import { Toolbar } from '../ui/Toolbar.tsx';
import { WithTooltip } from '../ui/Tooltip.tsx';
import './template-parts.css';

/** An example file. */
const sample = { folder: 'drafts', fileName: 'report.pdf', date: '2026-03-31', hash8: '9f86d081' };

/** The placeholders of a template, each with an example; a press inserts it without moving the focus. */
export function TemplateParts(props: { separator: string; onInsert: (part: string) => void }) {
  const { separator, onInsert } = props;
  return (
    <Toolbar label={texts.insert} className="template__parts">
      {templateParts.map((name) => {
        const part = `{${name}}`;
        const example = fillTemplate(part, { ...sample, separator });
        return (
          <WithTooltip key={name} text={texts.example({ part, example })} placement="bottom">
            <Button
              size="small"
              className="template__part"
              preventFocusOnPress
              onPress={() => onInsert(part)}
            >
              {texts.part[name]}
            </Button>
          </WithTooltip>
        );
      })}
    </Toolbar>
  );
}
