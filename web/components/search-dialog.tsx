import { Autocomplete } from '@base-ui/react/autocomplete';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide';
import { useState } from 'react';
import { GAMES } from '../../domain/games/games.ts';
import { messageOf } from '../api/client.ts';
import { searchQuery } from '../api/pages.ts';
import { capital, nameOr } from '../format.ts';
import { DialogFrame } from '../ui/dialog.tsx';
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
  const router = useRouter();
  const [text, setText] = useState('');
  const wanted = useRested(text.trim().slice(0, 200));
  const found = useQuery(searchQuery(wanted));
  const hits = wanted && found.data ? hitsOf(found.data) : [];
  const go = (hit: Hit) => {
    close();
    router.history.push(hit.href);
  };
  return (
    <DialogFrame close={close} className={styles.dialog} aria-label="Search">
      <Autocomplete.Root
        inline
        open
        items={hits}
        // The server has chosen them.
        filter={null}
        itemToStringValue={({ name }: Hit) => name}
        autoHighlight="always"
        keepHighlight
        value={text}
        onValueChange={(value, { reason }) => reason === 'input-change' && setText(value)}
      >
        <div className={styles.line}>
          <Icon of={Search} size={18} />
          {/* No field of the type search: those are no comboboxes (ARIA in HTML). */}
          <Autocomplete.Input
            aria-label="Search players, alliances and kingdoms of both games"
            enterKeyHint="search"
            autoFocus
            placeholder="Name, id, tag or number"
            // The window's own: it closes.
            onKeyDown={(event) => event.key === 'Escape' && event.preventBaseUIHandler()}
          />
        </div>
        <Autocomplete.List className={styles.hits} aria-label="Found" hidden={hits.length === 0}>
          {(hit: Hit) => (
            <Autocomplete.Item key={hit.key} value={hit} className={styles.hit} onClick={() => go(hit)}>
              <span className={styles.name}>
                <PlayerName name={hit.name} />
              </span>
              <span className={styles.about}>{hit.about}</span>
              <span className={styles.group}>{hit.group}</span>
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
        <p className={styles.state} role="status">
          {stateOf(wanted, found, hits.length)}
        </p>
      </Autocomplete.Root>
    </DialogFrame>
  );
}

function stateOf(wanted: string, { error, isFetching }: { error: unknown; isFetching: boolean }, hits: number): string {
  if (error) return messageOf(error);
  if (wanted === '') return 'Players by name or id, alliances by tag or name, kingdoms by number. Both games.';
  if (isFetching) return 'Searching…';
  return hits === 0 ? 'Nothing by that name in the scans so far.' : 'Arrow keys choose, Enter opens.';
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
