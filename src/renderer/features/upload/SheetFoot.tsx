import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';
import { uploadTexts as texts } from '../../i18n/upload-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { MenuButton } from '../../ui/Menu.tsx';
import { useUploadStarter } from './use-upload.ts';

type SheetFootProps = { plan: UploadPlan; onNumber: () => void; onRemoveProblems: () => void };

/** Below the files: adds more, and fixes a problem of several files at once. */
export function SheetFoot({ plan, onNumber, onRemoveProblems }: SheetFootProps) {
  const { chooseFiles, chooseFolders } = useUploadStarter();
  return (
    <div className="files__add">
      <MenuButton
        label={texts.add}
        trigger={
          <Button kind="quiet" icon="plus">
            {texts.addFiles}
          </Button>
        }
        entries={[
          { id: 'files', label: texts.files, icon: 'file', onAction: chooseFiles },
          { id: 'folders', label: texts.folders, icon: 'folder', onAction: chooseFolders },
        ]}
      />
      <span className="files__gap" />
      {plan.duplicates > 0 && (
        <Button kind="link" onPress={onNumber}>
          {texts.numberDuplicates({ count: plan.duplicates })}
        </Button>
      )}
      {plan.problems > 1 && (
        <Button kind="link" onPress={onRemoveProblems}>
          {texts.removeProblems({ count: plan.problems })}
        </Button>
      )}
    </div>
  );
}
