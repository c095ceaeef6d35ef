import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { GAME_IDS, GAME_NAMES, type GameId } from '../../../../domain/games/game-names.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { messageOf } from '../../../api/client.ts';
import { useOwn } from '../../../api/own-governors.ts';
import { searchQuery } from '../../../api/pages.ts';
import { gameSearch } from '../../../components/game-search.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { capital, nameOr } from '../../../format.ts';
import { Button } from '../../../ui/button.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { PlayerName } from '../../../ui/player-name.tsx';
import { SearchInput } from '../../../ui/search-input.tsx';
import { useSearchText } from '../../../ui/use-debounced.ts';
import styles from './-security/lists.module.css';

type Own = ReturnType<typeof useOwn>;

interface Known {
  game: GameId;
  governor_id: number;
  /**
   * Null if no kingdom scan has read this governor, so there is no page. Such a governor may still appear in events.
   */
  name: string | null;
  alliance_tag: string;
  kingdom_id: number | null;
}

/** The user's own governors of both games. They are managed here and pinned in event tables. */
export function OwnGovernors() {
  const all = useOwn(true);
  const { own, saving } = all;
  return (
    <Panel title={t('My governors')} about={t("Your own rows are pinned to the top of every event's table.")}>
      {saving.isError && <Notice tone="danger">{messageOf(saving.error)}</Notice>}
      <Loaded query={own} what={t('your governors')} heights={['4rem']}>
        {(named) => (
          <>
            <People people={peopleOf(named)} all={all} />
            <Finder all={all} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** All of the user's governors, including those that no scan has read. */
const peopleOf = (own: NonNullable<Own['own']['data']>): Known[] =>
  GAME_IDS.flatMap((game) =>
    own[game].map(
      (governor_id): Known =>
        own.named.find((one) => one.game === game && one.governor_id === governor_id) ?? {
          game,
          governor_id,
          name: null,
          alliance_tag: '',
          kingdom_id: null,
        },
    ),
  );

function People({ people, all }: { people: readonly Known[]; all: Own }) {
  if (people.length === 0)
    return (
      <Nothing>{t('Nobody yet. Find yourself below, or open your row in an event and press “This is me”.')}</Nothing>
    );
  return (
    <ul className={styles.list} aria-label={t('My governors')}>
      {people.map((person) => (
        <Person key={`${person.game} ${person.governor_id}`} person={person} all={all} />
      ))}
    </ul>
  );
}

function Person({ person, all }: { person: Known; all: Own }) {
  const { game, governor_id, name, alliance_tag, kingdom_id } = person;
  const { kingdom, short } = GAME_NAMES[game];
  const shown = nameOr(name ?? '', String(governor_id));
  const isOwn = all.isOwn(game, governor_id);
  return (
    <li className={styles.line}>
      <div className={styles.words}>
        <p className={styles.title}>
          {name === null ? (
            <PlayerName name={shown} />
          ) : (
            <Link to="/players/$id" params={{ id: String(governor_id) }} search={gameSearch(game)}>
              <PlayerName name={shown} />
            </Link>
          )}
        </p>
        <p className={layout.quiet}>
          {short} · {governor_id}
          {alliance_tag && (
            <>
              {' '}
              · <PlayerName name={alliance_tag} />
            </>
          )}
          {kingdom_id === null ? t(' · no page yet') : ` · ${words(capital(kingdom.one))} ${kingdom_id}`}
        </p>
      </div>
      <Button
        busy={all.saving.isPending}
        aria-label={isOwn ? t('Remove {shown}', { shown }) : t('{shown} is me', { shown })}
        onClick={() =>
          all.toggle(
            game,
            governor_id,
            name === null || kingdom_id === null ? undefined : { game, governor_id, name, alliance_tag, kingdom_id },
          )
        }
      >
        {isOwn ? t('Remove') : t('This is me')}
      </Button>
    </li>
  );
}

/** Finds governors of both games by name or id. Unknown ids can be added too. */
function Finder({ all }: { all: Own }) {
  const [text, setText] = useState('');
  const wanted = useSearchText(text);
  const found = useQuery(searchQuery(wanted));
  const others = (found.data?.governors ?? []).filter(({ game, governor_id }) => !all.isOwn(game, governor_id));
  const shown = found.isPlaceholderData ? others : [...others, ...unreadBy(wanted, found.data?.governors ?? [], all)];
  return (
    <>
      <SearchInput label={t('Find a governor or lord')} placeholder={t('Name or id')} value={text} onChange={setText} />
      {found.error && <Notice tone="danger">{messageOf(found.error)}</Notice>}
      {wanted !== '' &&
        found.data &&
        (shown.length === 0 ? (
          !found.isPlaceholderData && <Nothing>{t('Nobody else by that name in the scans so far.')}</Nothing>
        ) : (
          <ul className={styles.list} aria-label={t('Found')}>
            {shown.map((person) => (
              <Person key={`${person.game} ${person.governor_id}`} person={person} all={all} />
            ))}
          </ul>
        ))}
    </>
  );
}

const ID = /^[1-9]\d{0,14}$/;

/**
 * Treats a number as the id of a governor that no kingdom scan has read yet. Returns one candidate for each game that
 * does not know the id.
 */
function unreadBy(text: string, found: readonly Pick<Known, 'game' | 'governor_id'>[], all: Own): Known[] {
  if (!ID.test(text)) return [];
  const governor_id = Number(text);
  return GAME_IDS.filter(
    (game) =>
      !all.isOwn(game, governor_id) && !found.some((one) => one.game === game && one.governor_id === governor_id),
  ).map((game) => ({ game, governor_id, name: null, alliance_tag: '', kingdom_id: null }));
}
