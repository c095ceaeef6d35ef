import { Autocomplete } from '@base-ui/react/autocomplete';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide';
import { useState } from 'react';
import { profilePath } from '../../domain/boards/profile.ts';
import { GAMES } from '../../domain/games/games.ts';
import { locale } from '../../domain/language/current.ts';
import { addressIn } from '../../domain/language/public-paths.ts';
import { t, words } from '../../domain/language/text.ts';
import { messageOf } from '../api/client.ts';
import { searchQuery } from '../api/pages.ts';
import { boardSearchQuery } from '../api/profiles.ts';
import { ownSearchQuery } from '../api/scans.ts';
import { capital, counted, nameOr } from '../format.ts';
import { useSettings } from '../page-settings.ts';
import { DialogFrame } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { PlayerName } from '../ui/player-name.tsx';
import { useSearchText } from '../ui/use-debounced.ts';
import { alliancePath, governorPath, kingdomPath } from './links.tsx';
import styles from './search-dialog.module.css';
import { useSignedIn } from './signed-in.tsx';

interface Hit {
  key: string;
  group: string;
  href: string;
  name: string;
  about: string;
}

/** Searches governors, alliances and kingdoms of both games: a combobox in a dialog. */
export default function SearchDialog({ close }: { close: () => void }) {
  const router = useRouter();
  const [text, setText] = useState('');
  const wanted = useSearchText(text);
  const signedIn = useSignedIn();
  const { profiles } = useSettings();
  // Visitors find what the published boards show.
  const publicly = profiles && !signedIn;
  const inScans = useQuery({ ...searchQuery(wanted), enabled: !publicly && wanted !== '' });
  const onBoards = useQuery({ ...boardSearchQuery(wanted), enabled: publicly && wanted !== '' });
  const found = publicly ? onBoards : inScans;
  const own = useQuery({ ...ownSearchQuery(wanted), enabled: signedIn && wanted !== '' });
  const hits = wanted && found.data ? hitsOf(found.data, own.data, publicly ? PROFILES : PAGES) : [];
  const go = (hit: Hit) => {
    close();
    router.history.push(addressIn(locale(), hit.href));
  };
  return (
    <DialogFrame close={close} className={styles.dialog} aria-label={t('Search')}>
      <Autocomplete.Root
        inline
        open
        items={hits}
        // The server already filtered them.
        filter={null}
        itemToStringValue={({ name }: Hit) => name}
        autoHighlight="always"
        keepHighlight
        value={text}
        onValueChange={(value, { reason }) => reason === 'input-change' && setText(value)}
      >
        <div className={styles.line}>
          <Icon of={Search} size={18} />
          {/* Not type="search", because such inputs cannot be comboboxes (ARIA in HTML). */}
          <Autocomplete.Input
            aria-label={t('Search players, alliances and kingdoms of both games')}
            enterKeyHint="search"
            autoFocus
            placeholder={t('Name, id, tag or number')}
            // Escape closes the dialog instead.
            onKeyDown={(event) => event.key === 'Escape' && event.preventBaseUIHandler()}
          />
        </div>
        <Autocomplete.List className={styles.hits} aria-label={t('Found')} hidden={hits.length === 0}>
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
          {stateOf(wanted, found.isFetching ? found : own.isFetching ? own : found, hits.length, publicly)}
        </p>
      </Autocomplete.Root>
    </DialogFrame>
  );
}

function stateOf(
  wanted: string,
  { error, isFetching }: { error: unknown; isFetching: boolean },
  hits: number,
  publicly: boolean,
): string {
  if (error) return messageOf(error);
  if (wanted === '') return t('Players by name or id, alliances by tag or name, kingdoms by number. Both games.');
  if (isFetching) return t('Searching…');
  if (hits === 0)
    return publicly
      ? t('Nothing by that name on the published boards.')
      : t('Nothing by that name in the scans so far.');
  return t('Use the arrow keys to choose and Enter to open.');
}

type Found = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof searchQuery>['queryFn']>>>>;

/** Combines results of the service with those found only in the user's imports. */
function hitsOf(known: Found, own: Found | undefined, paths: Paths): Hit[] {
  const hits = hitsIn(known, paths);
  const there = new Set(hits.map(({ key }) => key));
  const library = (game: string, kingdom: number) => `/scans?game=${game}&of=${kingdom}`;
  const mine = own
    ? hitsIn(own, {
        ...PAGES,
        kingdom: ({ game, kingdom_id }) => library(game, kingdom_id),
        alliance: ({ game, kingdom_id }) => library(game, kingdom_id),
      })
    : [];
  return [
    ...hits,
    ...mine
      .filter(({ key }) => !there.has(key))
      .map((hit) => ({ ...hit, group: t('{game}, your scans', { game: hit.group }) })),
  ];
}

interface Paths {
  governor: (governor: Found['governors'][number]) => string;
  kingdom: (kingdom: Found['kingdoms'][number]) => string;
  alliance: (alliance: Found['alliances'][number]) => string;
}

const PAGES: Paths = {
  governor: ({ game, governor_id }) => governorPath(game, governor_id),
  kingdom: ({ game, kingdom_id }) => kingdomPath(game, kingdom_id),
  alliance: ({ game, kingdom_id, alliance_tag }) => alliancePath(game, kingdom_id, alliance_tag),
};

const PROFILES: Paths = {
  governor: ({ game, governor_id }) => profilePath(game, { kind: 'governor', id: governor_id }),
  kingdom: ({ game, kingdom_id }) => profilePath(game, { kind: 'kingdom', id: kingdom_id }),
  alliance: ({ game, kingdom_id, alliance_tag }) =>
    profilePath(game, { kind: 'alliance', kingdom: kingdom_id, tag: alliance_tag }),
};

function hitsIn({ kingdoms, governors, alliances }: Found, paths: Paths): Hit[] {
  return [
    ...kingdoms.map((kingdom) => ({
      key: `k ${kingdom.game} ${kingdom.kingdom_id}`,
      group: GAMES[kingdom.game].short,
      href: paths.kingdom(kingdom),
      name: `${words(capital(GAMES[kingdom.game].kingdom.one))} ${kingdom.kingdom_id}`,
      about: '',
    })),
    ...governors.map(({ game, governor_id, name, alliance_tag, kingdom_id }) => ({
      key: `g ${game} ${governor_id}`,
      group: GAMES[game].short,
      href: paths.governor({ game, governor_id, name, alliance_tag, kingdom_id }),
      name: nameOr(name, String(governor_id)),
      about: `${alliance_tag ? `[${alliance_tag}] ` : ''}${kingdom_id} · ${governor_id}`,
    })),
    ...alliances.map((alliance) => ({
      key: `a ${alliance.game} ${alliance.kingdom_id} ${alliance.alliance_tag}`,
      group: GAMES[alliance.game].short,
      href: paths.alliance(alliance),
      name: `[${alliance.alliance_tag}] ${alliance.alliance_name}`,
      about: `${alliance.kingdom_id} · ${counted(alliance.member_count, 'member')}`,
    })),
  ];
}
