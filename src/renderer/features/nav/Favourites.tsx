import { useState, type KeyboardEvent } from 'react';
import type { Service } from '../../../shared/domain/service.ts';
import { favouriteNameMax, keyOfFavourite, type Favourite } from '../../../shared/domain/shown-list.ts';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';
import { isPressed, listKeys } from '../../../shared/keys.ts';
import { useClient } from '../../app/client.ts';
import { useFavourites, useOpenFavourite } from '../../app/favourites.ts';
import { FormDialog } from '../../app/FormDialog.tsx';
import { commandOf, keysOf } from '../../app/key-bindings.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { placeTitle, setSearch, showPlace } from '../../app/place.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useAct } from '../../app/use-act.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { objectTexts } from '../../i18n/object-texts.ts';
import { TextField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ContextMenu } from '../../ui/Menu.tsx';
import { NavItem } from './NavItem.tsx';

const texts = objectTexts.favourite;

type OpenMenu = { of: Favourite; at: { x: number; y: number }; from: HTMLElement };

/** Favourite places and searches, each with a menu. F2 renames a search, Delete removes one. Nothing if there are none. */
export function Favourites({ service, isMarkOnly }: { service: Service; isMarkOnly: boolean }) {
  const favourites = useFavourites(service.id);
  const open = useOpenFavourite();
  const client = useClient();
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [renamed, setRenamed] = useState<Favourite | null>(null);
  if (favourites.length === 0) return null;
  const remove = (favourite: Favourite) =>
    sayFailure(client.call('services.keepFavourite', { id: service.id, favourite, isKept: false }));
  const move = (favourite: Favourite, by: 1 | -1) =>
    sayFailure(client.call('services.moveFavourite', { id: service.id, favourite, by }));
  const labelOf = ({ name, place, search }: Favourite) =>
    name ?? (search === '' ? placeTitle(place, service.separator) : search);
  const isSearch = ({ search }: Favourite) => search !== '';

  function takeKey(event: KeyboardEvent, favourite: Favourite): void {
    if (isPressed(listKeys.delete, event)) remove(favourite);
    if (!isSearch(favourite) || commandOf(event, false) !== 'move') return;
    event.preventDefault();
    event.stopPropagation();
    setRenamed(favourite);
  }
  const keys = keysOf('move');
  const of = menu?.of;
  return (
    <>
      {!isMarkOnly && <h2 className="side__head">{appTexts.nav.favourites}</h2>}
      {favourites.map((favourite) => (
        <NavItem
          key={keyOfFavourite(favourite)}
          itemKey={`favourite ${keyOfFavourite(favourite)}`}
          label={labelOf(favourite)}
          mark={<Icon name={isSearch(favourite) ? 'search' : 'star'} />}
          isCurrent={favourite === open}
          isMarkOnly={isMarkOnly}
          onOpen={() => {
            showPlace(favourite.place, favourite.kind);
            setSearch(favourite.search);
          }}
          onMenu={(at, from) => setMenu({ of: favourite, at, from })}
          onKeyDown={(event) => takeKey(event, favourite)}
        />
      ))}
      <ContextMenu
        at={menu?.at ?? null}
        label={appTexts.nav.favourites}
        entries={
          of === undefined
            ? []
            : [
                ...(isSearch(of)
                  ? [
                      {
                        id: 'rename',
                        label: texts.rename,
                        icon: 'pencil' as const,
                        ...(keys !== undefined && { keys }),
                        onAction: () => setRenamed(of),
                      },
                    ]
                  : []),
                ...([-1, 1] as const)
                  .filter((by) => favourites[favourites.indexOf(of) + by] !== undefined)
                  .map((by) => ({
                    id: `move ${by}`,
                    label: by < 0 ? dockTexts.menu.up : dockTexts.menu.down,
                    icon: by < 0 ? ('up' as const) : ('dn' as const),
                    onAction: () => move(of, by),
                  })),
                { id: 'remove', label: texts.remove, icon: 'starred' as const, onAction: () => remove(of) },
              ]
        }
        onClose={() => {
          setMenu(null);
          menu?.from.focus();
        }}
      />
      {renamed !== null && (
        <DialogPane onClose={() => setRenamed(null)}>
          <RenameDialog
            service={service}
            favourite={renamed}
            start={labelOf(renamed)}
            onClose={() => setRenamed(null)}
          />
        </DialogPane>
      )}
    </>
  );
}

/** Asks for the name of a search. Without one it has the name of its words. */
function RenameDialog(props: { service: Service; favourite: Favourite; start: string; onClose: () => void }) {
  const { service, favourite, start, onClose } = props;
  const client = useClient();
  const act = useAct();
  const [typed, setTyped] = useState(start);
  const { name: _name, ...unnamed } = favourite;
  const name = typed.trim();
  const isNamed = name !== '' && name !== favourite.search;
  const rename = () =>
    act.run(async () => {
      const change = isNamed ? { ...unnamed, name } : unnamed;
      await client.call('services.keepFavourite', { id: service.id, favourite: change, isKept: true });
      onClose();
    });
  return (
    <FormDialog
      title={texts.renameTitle}
      place={service.name}
      size="medium"
      act={act}
      say={favourite.search}
      button={{ label: texts.renameNow, onPress: () => void rename() }}
      onClose={onClose}
    >
      <TextField
        label={fieldTexts.name}
        value={typed}
        onChange={setTyped}
        maxLength={favouriteNameMax}
        {...focusHere}
      />
    </FormDialog>
  );
}
