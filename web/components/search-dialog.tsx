import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { GAMES } from '../../domain/games/games.ts';
import { messageOf } from '../api/client.ts';
import { searchQuery } from '../api/pages.ts';
import { capital, nameOr } from '../format.ts';
import { Icon } from '../ui/icon.tsx';
import { PlayerName } from '../ui/player-name.tsx';
import { useRested } from '../ui/use-rested.ts';
import styles from './search-dialog.module.css';

interface Hit {
  key: string;
  group: string;
  href: string;
  name: string;
  about: string;
}

/** Finds governors, alliances and kingdoms of both games; a combobox in a dialog, worked by keys or by hand. */
export default function SearchDialog({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const router = useRouter();
  const id = useId();
  const [text, setText] = useState('');
  const wanted = useRested(text.trim().slice(0, 200));
  const found = useQuery(searchQuery(wanted));
  const hits = wanted && found.data ? hitsOf(found.data) : [];
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, hits.length - 1);
  useEffect(() => dialog.current?.showModal(), []);
  const go = (hit: Hit | undefined) => {
    if (!hit) return;
    close();
    router.history.push(hit.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(hits[at]);
    else if (event.key === 'ArrowDown') setChosen(Math.min(at + 1, hits.length - 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(at - 1, 0));
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself; this is for a press beside it.
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label="Search"
      onClose={close}
      onClick={({ target }) => target === dialog.current && close()}
    >
      <div className={styles.inner}>
        <label className={styles.line}>
          <Icon of={Search} size={18} />
          <span className="visually-hidden">Search players, alliances and kingdoms of both games</span>
          <input
            type="search"
            role="combobox"
            aria-expanded={hits.length > 0}
            aria-controls={`${id}-hits`}
            aria-activedescendant={hits[at] ? `${id}-${at}` : undefined}
            autoComplete="off"
            autoFocus
            value={text}
            placeholder="Name, id, tag or number"
            onChange={(event) => {
              setText(event.target.value);
              setChosen(0);
            }}
            onKeyDown={onKeyDown}
          />
        </label>
        <div id={`${id}-hits`} role="listbox" aria-label="Found" className={styles.hits} hidden={hits.length === 0}>
          {hits.map((hit, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the input, as a combobox wants it.
            <div
              key={hit.key}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className={styles.hit}
              onClick={() => go(hit)}
              onPointerMove={() => setChosen(index)}
              ref={index === at ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
            >
              <span className={styles.name}>
                <PlayerName name={hit.name} />
              </span>
              <span className={styles.about}>{hit.about}</span>
              <span className={styles.group}>{hit.group}</span>
            </div>
          ))}
        </div>
        <p className={styles.state} role="status">
          {found.error
            ? messageOf(found.error)
            : wanted === ''
              ? 'Players by name or id, alliances by tag or name, kingdoms by number. Both games.'
              : found.isFetching
                ? 'Looking…'
                : hits.length === 0
                  ? 'Nothing by that name in the scans so far.'
                  : 'Arrow keys choose, Enter opens.'}
        </p>
      </div>
    </dialog>
  );
}

type Found = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof searchQuery>['queryFn']>>>>;

const suffix = (game: 'rok' | 'cod') => (game === 'rok' ? '' : `?game=${game}`);

function hitsOf({ kingdoms, governors, alliances }: Found): Hit[] {
  return [
    ...kingdoms.map(({ game, kingdom_id }) => ({
      key: `k ${game} ${kingdom_id}`,
      group: GAMES[game].short,
      href: `/kingdoms/${kingdom_id}${suffix(game)}`,
      name: `${capital(GAMES[game].kingdom.one)} ${kingdom_id}`,
      about: '',
    })),
    ...governors.map(({ game, governor_id, name, alliance_tag, kingdom_id }) => ({
      key: `g ${game} ${governor_id}`,
      group: GAMES[game].short,
      href: `/players/${governor_id}${suffix(game)}`,
      name: nameOr(name, String(governor_id)),
      about: `${alliance_tag ? `[${alliance_tag}] ` : ''}${kingdom_id} · ${governor_id}`,
    })),
    ...alliances.map(({ game, kingdom_id, alliance_tag, alliance_name, member_count }) => ({
      key: `a ${game} ${kingdom_id} ${alliance_tag}`,
      group: GAMES[game].short,
      href: `/alliances/${kingdom_id}/${encodeURIComponent(alliance_tag)}${suffix(game)}`,
      name: `[${alliance_tag}] ${alliance_name}`,
      about: `${kingdom_id} · ${member_count} members`,
    })),
  ];
}
