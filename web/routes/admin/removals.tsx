import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import { labelled, message, t, words } from '../../../domain/language/text.ts';
import { decideRemoval, type Removal, removalsQuery } from '../../api/removals.ts';
import { Card } from '../../components/form-card.tsx';
import { GovernorLink } from '../../components/links.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Nothing } from '../../components/panel.tsx';
import { flag, searchReader, wholeFrom } from '../../search-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import layout from '../../ui/layout.module.css';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { Act } from './-act.tsx';
import styles from './reports.module.css';

/** With `all`, decided requests too; with `before`, those before one. */
const removalsSearch = searchReader({ all: flag, before: wholeFrom(1) });

export const Route = createFileRoute('/admin/removals')({
  validateSearch: removalsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(removalsQuery(!deps.all, deps.before));
  },
  component: Removals,
});

function Removals() {
  const { all, before } = Route.useSearch();
  const removals = useQuery(removalsQuery(!all, before));
  return (
    <>
      <title>{t('Removals · Muster')}</title>
      <p className={styles.choice}>
        <span>{all ? t('Open and decided requests.') : t('Requests that wait for a code or a decision.')}</span>
        <Link to="/admin/removals" search={all ? {} : { all: true }} className={buttonClass()}>
          {all ? t('Only open ones') : t('Decided ones too')}
        </Link>
      </p>
      <Loaded query={removals} what={t('the requests')} heights={['16rem']}>
        {({ removals: listed, next }) => (
          <div className={layout.stack}>
            {listed.length === 0 && <Nothing>{words(EMPTY[before ? 'older' : all ? 'all' : 'open'])}</Nothing>}
            {listed.map((removal) => (
              <Request key={removal.removal_id} removal={removal} />
            ))}
            {next && (
              <Link to="/admin/removals" search={{ ...(all && { all }), before: next }} className={buttonClass()}>
                {t('Older requests')}
              </Link>
            )}
          </div>
        )}
      </Loaded>
    </>
  );
}

const EMPTY = {
  open: message('No request waits for a decision.'),
  all: message('Nobody has asked for removal.'),
  older: message('There are no older requests.'),
};

const STATES = {
  open: message('Waits for the code'),
  accepted: message('Accepted'),
  refused: message('Refused'),
} as const;

function Request({ removal }: { removal: Removal }) {
  const { removal_id, game, governor_id, name, code, note, state, created_at, decided_at, decided_by } = removal;
  const button = (decision: 'accepted' | 'refused', label: string, about: string) =>
    state !== decision && (
      <Act
        label={label}
        title={labelled(label, governor_id)}
        about={about}
        reason={false}
        act={async () => {
          await decideRemoval(removal_id, decision);
          return null;
        }}
      />
    );
  return (
    <Card
      title={t('{game, select, cod {Lord} other {Governor}} {id}, {name}', {
        game,
        id: governor_id,
        name: GAME_NAMES[game].name,
      })}
      about={
        <p className={layout.quiet}>
          <T
            of="{governor} · asked {time} · code {code}"
            governor={<GovernorLink game={game} id={governor_id} name={name} />}
            time={<Time at={created_at} />}
            code={code}
          />
        </p>
      }
    >
      {note && <blockquote className={styles.words}>{note}</blockquote>}
      <p>
        {words(STATES[state])}
        {decided_at && (
          <>
            {' '}
            <T
              of={decided_by === 'code' ? '{time}, by the code' : '{time}, by an admin'}
              time={<Time at={decided_at} />}
            />
          </>
        )}
      </p>
      <div className={layout.wrap}>
        {button('accepted', t('Accept'), t('The name disappears from all public pages. It can be shown again.'))}
        {state === 'accepted'
          ? button('refused', t('Show again'), t('Public pages show the name from now on.'))
          : button('refused', t('Refuse'), t('Public pages go on showing the name. It can still be accepted.'))}
      </div>
    </Card>
  );
}
