import { X } from 'lucide';
import type { RosterEntry } from '../../../domain/compare/roster-rules.ts';
import { MAX_NOTE, ROLES, type RosterRole, rosterFlaw } from '../../../domain/compare/roster-rules.ts';
import type { GameId } from '../../../domain/games/game-names.ts';
import { labelled, message, say, t, words } from '../../../domain/language/text.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import layout from '../../ui/layout.module.css';
import { Select } from '../../ui/select.tsx';
import { T } from '../../ui/text.tsx';
import { Governor, GovernorFind } from './governor-find.tsx';
import type { KnownGovernors } from './known-governors.ts';
import { RowSet } from './row-set.tsx';
import styles from './rows.module.css';

const ROLE_NAMES: Readonly<Record<RosterRole, string>> = {
  main: message('main'),
  farm: message('farm'),
  left: message('left'),
  exempt: message('exempt'),
};

/** Governors with their role, the main of each farm, and a note such as the reason of an exemption. */
export function RosterRows({
  game,
  known,
  entries,
  roles = ROLES,
  change,
}: {
  game: GameId;
  known: KnownGovernors;
  entries: readonly RosterEntry[];
  roles?: readonly RosterRole[];
  change: (entries: RosterEntry[]) => void;
}) {
  const flaw = rosterFlaw(entries);
  const roleOf = new Map(entries.map(({ governor_id, role }) => [governor_id, role]));
  const set = (id: number, part: Partial<RosterEntry>) =>
    change(entries.map((entry) => (entry.governor_id === id ? { ...entry, ...part } : entry)));
  return (
    <RowSet
      title={t('Roster')}
      about={t('Farms count for their main, exempt governors have no goals, and those who left are not ranked.')}
      rows={entries}
      rowId={({ governor_id }) => governor_id}
      row={(entry, index) => (
        <Entry
          game={game}
          known={known}
          entry={entry}
          roles={roles}
          roleOf={roleOf}
          flaw={flaw?.index === index ? say(flaw.sentence) : null}
          set={(part) => set(entry.governor_id, part)}
          remove={() => change(entries.filter((each) => each.governor_id !== entry.governor_id))}
        />
      )}
    >
      <GovernorFind
        game={game}
        known={known}
        label={t('Add a governor')}
        chosen={(id) => {
          const role = roleOf.get(id);
          return role ? words(ROLE_NAMES[role]) : null;
        }}
        choose={(governor_id) =>
          change([
            ...entries,
            { governor_id, role: roles.includes('farm') ? 'farm' : 'exempt', main_id: null, note: '' },
          ])
        }
      />
    </RowSet>
  );
}

function Entry({
  game,
  known,
  entry: { governor_id: id, role, main_id, note },
  roles,
  roleOf,
  flaw,
  set,
  remove,
}: {
  game: GameId;
  known: KnownGovernors;
  entry: RosterEntry;
  roles: readonly RosterRole[];
  roleOf: ReadonlyMap<number, RosterRole>;
  flaw: string | null;
  set: (part: Partial<RosterEntry>) => void;
  remove: () => void;
}) {
  const cannot = (main: number) =>
    main === id ? t('is this governor') : roleOf.get(main) === 'farm' ? t('is a farm itself') : null;
  return (
    <div className={styles.entry}>
      <Governor id={id} known={known} />
      <Select
        aria-label={t('Role of {id}', { id: String(id) })}
        value={role}
        onChange={({ target }) => {
          const next = ROLES.find((each) => each === target.value);
          if (next) set({ role: next, main_id: next === 'farm' ? main_id : null });
        }}
      >
        {roles.map((each) => (
          <option key={each} value={each}>
            {words(ROLE_NAMES[each])}
          </option>
        ))}
      </Select>
      <input
        className={styles.text}
        aria-label={role === 'exempt' ? t('Reason of {id}', { id: String(id) }) : t('Note on {id}', { id: String(id) })}
        placeholder={role === 'exempt' ? t('Reason') : t('Note')}
        maxLength={MAX_NOTE}
        value={note}
        onChange={({ target }) => set({ note: target.value })}
      />
      <Button look="bare" aria-label={t('Remove {id} from the roster', { id: String(id) })} onClick={remove}>
        <Icon of={X} size={16} />
      </Button>
      {role === 'farm' && (
        <div className={styles.farm}>
          {main_id === null ? (
            <GovernorFind
              game={game}
              known={known}
              label={t('Farm {id} is of', { id: String(id) })}
              chosen={cannot}
              choose={(main) => set({ main_id: main })}
            />
          ) : (
            <span className={layout.row}>
              <span>
                <T of="farm of {governor}" governor={<Governor id={main_id} known={known} />} />
              </span>
              <Button look="bare" aria-label={labelled(t('Change main'), id)} onClick={() => set({ main_id: null })}>
                {t('Change main')}
              </Button>
            </span>
          )}
        </div>
      )}
      {flaw && (
        <p className={`${styles.farm} ${styles.error}`} role="alert">
          {flaw}
        </p>
      )}
    </div>
  );
}
