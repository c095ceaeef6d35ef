import { useDeferredValue, useState } from 'react';
import { GOVERNOR_ID } from '../../../domain/difference/lines.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { t, words } from '../../../domain/language/text.ts';
import { narrow } from '../../../domain/narrow.ts';
import { inSentence, nameOr } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import layout from '../../ui/layout.module.css';
import { PlayerName } from '../../ui/player-name.tsx';
import { T } from '../../ui/text.tsx';
import type { KnownGovernor, KnownGovernors } from './known-governors.ts';
import styles from './rows.module.css';

/** A governor of the scans, or an id that may be unknown there. */
export function Governor({ id, known }: { id: number; known: KnownGovernors }) {
  const governor = known.get(id);
  if (!governor) return <span className={styles.governor}>{id}</span>;
  return (
    <span className={styles.governor}>
      {governor.tag && <bdi className={layout.quiet}>[{governor.tag}] </bdi>}
      <PlayerName name={nameOr(governor.name, String(id))} />
      <span className={layout.quiet}>
        {' '}
        {governor.kingdom} · {id}
      </span>
    </span>
  );
}

/** Returns the governors that a text finds, and the id that it is, if no scan has it. */
function matches(known: KnownGovernors, text: string): KnownGovernor[] {
  const typed = narrow(text).trim();
  const id = Number(typed);
  const isOther = GOVERNOR_ID.test(typed) && Number.isSafeInteger(id) && !known.get(id);
  return [...known.find(typed), ...(isOther ? [{ id, name: '', tag: null, kingdom: '' }] : [])];
}

/** Finds a governor of the scans by name or id. An id that no scan has can be chosen too. */
export function GovernorFind({
  game,
  known,
  label,
  chosen,
  choose,
}: {
  game: GameId;
  known: KnownGovernors;
  label: string;
  /** Returns what a governor is already, such as 'farm'; null if they can be chosen. */
  chosen?: (id: number) => string | null;
  choose: (id: number) => void;
}) {
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text);
  const all = matches(known, wanted);
  const take = (one: number) => {
    choose(one);
    setText('');
  };
  return (
    <div className={styles.find}>
      <TextField
        label={label}
        type="search"
        autoComplete="off"
        placeholder={t('Name or id')}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Enter would send the form around it.
          event.preventDefault();
          const first = matches(known, text).find((one) => !chosen?.(one.id));
          if (first) take(first.id);
        }}
      />
      {wanted.trim() !== '' && (
        <ul className={styles.found} aria-label={t('Found for {label}', { label: inSentence(label) })}>
          {all.length === 0 && (
            <li className={layout.quiet}>
              <T of="No {one} of these scans." one={words(GAME_NAMES[game].governor.one)} />
            </li>
          )}
          {all.map((one) => {
            const is = chosen?.(one.id) ?? null;
            return (
              <li key={one.id}>
                <Button look="bare" className={styles.choice} disabled={is !== null} onClick={() => take(one.id)}>
                  <Governor id={one.id} known={known} />
                  {one.name === '' && one.kingdom === '' && (
                    <span className={layout.quiet}> {t('not in these scans')}</span>
                  )}
                  {is !== null && <span className={layout.quiet}> {is}</span>}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
