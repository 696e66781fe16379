import type { Service } from '../../shared/domain/service.ts';
import { RemoveService } from '../features/connect/RemoveDialog.tsx';
import { ProxyBanner } from '../features/connect/ProxyBanner.tsx';
import { TokenBanner } from '../features/connect/TokenBanner.tsx';
import { Nav } from '../features/nav/Nav.tsx';
import { usePlaceCommands } from '../features/objects/use-place-commands.ts';
import { AddKnown } from '../features/objects/AddKnownDialog.tsx';
import { NewFolder } from '../features/objects/NewFolder.tsx';
import { ImportList } from '../features/objects/ImportList.tsx';
import { FolderMenu } from '../features/objects/grid/FolderMenu.tsx';
import { ObjectsView } from '../features/objects/ObjectsView.tsx';
import { Palette } from '../features/objects/palette/Palette.tsx';
import { TaskLine, UnsentDeletions } from '../features/objects/TaskLine.tsx';
import { ClipboardLine } from '../features/secrets/ClipboardLine.tsx';
import { NewSecret } from '../features/secrets/NewSecret.tsx';
import { SecretsView } from '../features/secrets/SecretsView.tsx';
import { SettingsView } from '../features/settings/SettingsView.tsx';
import { JobsStatus } from '../features/transfers/JobsStatus.tsx';
import { ConflictPromptDialog } from '../features/transfers/ConflictPromptDialog.tsx';
import { UndoQuestion } from '../features/transfers/UndoQuestion.tsx';
import { StatusLine } from '../features/transfers/StatusLine.tsx';
import { DropTarget } from '../features/upload/DropTarget.tsx';
import { UploadSheet } from '../features/upload/UploadSheet.tsx';
import { ListedClasses } from '../app/classification/ListedClasses.tsx';
import { useCommand } from '../app/commands.ts';
import { Dock } from './Dock.tsx';
import { FailureDialogs } from '../app/dock-list/FailureDialogs.tsx';
import { showDock, toggleDock, useDock, useDockMemory } from '../app/dock.ts';
import { usePart } from '../ui/part.ts';
import { LinePane, Pane } from '../app/Pane.tsx';
import { showSettings, usePlace } from '../app/place.ts';
import { Shortcuts } from '../app/Shortcuts.tsx';
import { Slot } from '../app/slots.tsx';
import './main-window.css';

/** Sidebar, list and activity dock; above them the banner, over them dialogs. */
export function MainWindow({ service }: { service: Service }) {
  const view = usePlace((state) => state.view);
  const kind = usePlace((state) => state.kind);
  const place = usePlace((state) => state.place);
  const isOpen = useDock((state) => state.isOpen);
  const isNarrow = useDock((state) => state.isNarrow);
  useDockMemory();
  usePlaceCommands(service.separator);
  useCommand('settings', () => showSettings());
  useCommand('dock.details', () => showDock('details'));
  useCommand('dock.transfers', () => showDock('transfers'));
  useCommand('dock.jobs', () => showDock('jobs'));
  useCommand('dock.toggle', toggleDock);
  const part = usePart<HTMLElement>({ role: 'main', begins: '[role="grid"]' });
  return (
    <ListedClasses serviceId={service.id}>
      <div className={`window ${isOpen ? 'window--dock' : ''} ${isNarrow ? 'window--narrow' : ''}`}>
        <div className="window__banner">
          <LinePane name="banner">
            <TokenBanner />
            <ProxyBanner />
            <Slot name="banner" />
          </LinePane>
        </div>
        <Pane name="nav">
          <FolderMenu service={service}>
            <Nav key={service.id} service={service} />
          </FolderMenu>
        </Pane>
        <main className="window__middle" {...part} tabIndex={-1}>
          {view === 'settings' && (
            <Pane name="settings">
              <SettingsView />
            </Pane>
          )}
          {view === 'objects' && (
            <Pane name="list" of={place}>
              {kind === 'secret' ? (
                <SecretsView key={service.id} />
              ) : (
                <FolderMenu service={service}>
                  <ObjectsView />
                </FolderMenu>
              )}
            </Pane>
          )}
          <Slot name="view" service={service} />
          <LinePane name="status">
            <StatusLine first={<Slot name="statusStart" />}>
              <JobsStatus />
              <TaskLine />
              <UnsentDeletions />
              <ClipboardLine />
              <Slot name="statusEnd" />
            </StatusLine>
          </LinePane>
        </main>
        {isOpen && (
          <Pane name="dock">
            <Dock separator={service.separator} />
          </Pane>
        )}
        <UploadSheet />
        <NewSecret />
        <FailureDialogs />
        <ConflictPromptDialog />
        <DropTarget />
        <Palette />
        <Shortcuts />
        <AddKnown serviceId={service.id} />
        <NewFolder service={service} />
        <ImportList serviceId={service.id} />
        <UndoQuestion />
        <RemoveService />
        <Slot name="windowDialogs" service={service} />
      </div>
    </ListedClasses>
  );
}
