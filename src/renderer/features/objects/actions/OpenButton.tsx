import type { ObjectRecord } from '../../../../shared/domain/object.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { Button } from '../../../ui/Button.tsx';
import type { ObjectActions } from './use-object-actions.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';

const texts = objectTexts.act;

/** *Open*, or what there is in its place for a kind that is not opened. */
export function OpenButton(props: {
  row: ObjectRecord;
  actions: Pick<ObjectActions, 'open' | 'opens'>;
  size: 'small' | 'large';
}) {
  const { row, actions, size } = props;
  const opens = actions.opens(row);
  return (
    <Button kind="line" size={size} icon={opens ? 'file' : 'folder'} onPress={() => actions.open(row)}>
      {opens ? commonTexts.openFile : texts.showCopy}
    </Button>
  );
}
