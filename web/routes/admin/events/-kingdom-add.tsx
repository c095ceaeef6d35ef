import { useQuery } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { KINGDOM_KEY } from '../../../../domain/events/flaws.ts';
import type { GameId } from '../../../../domain/games/games.ts';
import { t } from '../../../../domain/language/text.ts';
import { entriesOf } from '../../../../domain/narrow.ts';
import { searchQuery } from '../../../api/pages.ts';
import styles from '../../../components/rows/rows.module.css';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { useSearchText } from '../../../ui/use-debounced.ts';

interface Adding {
  game: GameId;
  label: string;
  /** Kingdom → the camp that has it. */
  taken: ReadonlyMap<string, string>;
  add: (keys: string[]) => void;
}

/** The first kingdom that stays in the field. `camp` already has it; undefined if it is not a kingdom's number. */
interface Flaw {
  key: string;
  camp: string | undefined;
}

const flawText = ({ key, camp }: Flaw): string =>
  camp === undefined
    ? t("'{text}' is not a number such as 1206, or a part such as 1206-2.", { text: key.slice(0, 20) })
    : t('{kingdom} is in {camp} already.', { kingdom: key, camp });

/**
 * Takes kingdoms that the search finds, one that is typed, or a pasted list. What cannot be taken stays, with the
 * reason.
 */
export function KingdomAdd({ game, label, taken, add }: Adding) {
  const [text, setText] = useState('');
  const [flaw, setFlaw] = useState<Flaw | null>(null);
  const offers = useRef<HTMLUListElement>(null);
  const take = (written: string) => {
    const keys = [...new Set(entriesOf(written))];
    const wrong = keys.filter((key) => !KINGDOM_KEY.test(key));
    const twice = keys.filter((key) => taken.has(key));
    const fine = keys.filter((key) => KINGDOM_KEY.test(key) && !taken.has(key));
    if (fine.length > 0) add(fine);
    setText([...wrong, ...twice].join(', '));
    const key = wrong[0] ?? twice[0];
    setFlaw(key === undefined ? null : { key, camp: taken.get(key) });
  };
  return (
    <div className={styles.find}>
      <TextField
        label={label}
        autoComplete="off"
        placeholder="1206, 1207"
        help={t('Press Enter, paste a list, or search by number or alliance.')}
        value={text}
        error={flaw && flawText(flaw)}
        onChange={({ target }) => {
          setText(target.value);
          setFlaw(null);
        }}
        onPaste={(event) => {
          event.preventDefault();
          take(`${text} ${event.clipboardData.getData('text')}`);
        }}
        onBlur={({ relatedTarget }) => {
          // If focus moved to the offers, the typed text is not taken.
          if (!offers.current?.contains(relatedTarget)) take(text);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          take(text);
        }}
      />
      <Found
        list={offers}
        game={game}
        label={label}
        words={text}
        taken={taken}
        choose={(key) => {
          add([key]);
          setText('');
          setFlaw(null);
        }}
      />
    </div>
  );
}

/** Scanned kingdoms that the words find: by the start of their number, or by an alliance of theirs. */
function Found({
  list,
  game,
  label,
  words,
  taken,
  choose,
}: Pick<Adding, 'game' | 'label' | 'taken'> & {
  list: RefObject<HTMLUListElement | null>;
  words: string;
  choose: (key: string) => void;
}) {
  const found = useQuery(searchQuery(useSearchText(words)));
  if (words.trim() === '' || !found.data) return null;
  const { kingdoms, alliances } = found.data;
  const byAlliance = alliances.map((one) => ({ ...one, about: `[${one.alliance_tag}] ${one.alliance_name}` }));
  const offered = new Map(
    [...byAlliance, ...kingdoms.map((one) => ({ ...one, about: '' }))]
      .filter((one) => one.game === game && !taken.has(String(one.kingdom_id)))
      .map(({ kingdom_id, about }) => [String(kingdom_id), about]),
  );
  if (offered.size === 0) return null;
  return (
    <ul ref={list} className={styles.found} aria-label={t('Found for {label}', { label })}>
      {[...offered].map(([key, about]) => (
        <li key={key}>
          <Button
            look="bare"
            className={styles.choice}
            // Otherwise the field would lose its focus and take what is typed.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(key)}
          >
            {key} {about && <bdi className={layout.quiet}>{about}</bdi>}
          </Button>
        </li>
      ))}
    </ul>
  );
}
