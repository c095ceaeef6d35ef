import { Check, Plus } from 'lucide';
import { type FormEvent, useState } from 'react';
import { t, words } from '../../../../domain/language/text.ts';
import type { Field } from '../../../../domain/orders/catalogue.ts';
import { unitsOf } from '../../../../domain/orders/pricing.ts';
import type { Offer } from '../../../api/products.ts';
import { counted, date, exact, money } from '../../../format.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckField, SelectField, TextAreaField, TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { T } from '../../../ui/text.tsx';
import { type DraftItem, draftItem, type FieldFlaw, isFlaw, paramsOf, type Values } from './-draft.ts';
import { KingdomPicker } from './-kingdom-picker.tsx';
import styles from './-offer-form.module.css';
import { OutlookNotes } from './-outlook-notes.tsx';

interface FormProps {
  offer: Offer;
  /** Form values. */
  values: Values;
  setValues: (values: Values) => void;
  add: (item: DraftItem) => void;
}

/** Form of a product with its price and the button that adds it to the order. */
export function OfferForm({ offer, values, setValues, add }: FormProps) {
  const [flaw, setFlaw] = useState<FieldFlaw | null>(null);
  const [added, setAdded] = useState<DraftItem | null>(null);
  const set = (name: string, value: string | boolean) => {
    setValues({ ...values, [name]: value });
    setFlaw(null);
    setAdded(null);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const item = draftItem(offer, values, crypto.randomUUID());
    if (isFlaw(item)) {
      setFlaw(item);
      const field = event.currentTarget.elements.namedItem(item.name);
      if (field instanceof HTMLElement) field.focus();
      return;
    }
    add(item);
    setFlaw(null);
    setAdded(item);
    setValues({ ...values, [offer.kingdoms]: '' });
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.about}>
        {words(offer.description)} <Tariff offer={offer} />
      </p>
      {!offer.ready && <Notice>{unreadyText(offer)}</Notice>}
      <fieldset className={styles.fields} aria-label={words(offer.name)} disabled={!offer.ready}>
        {offer.fields.map((field) => (
          <OfferField
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            error={flaw?.name === field.name ? flaw.text : null}
            set={set}
          />
        ))}
      </fieldset>
      {offer.ready && (
        <KingdomPicker
          game={offer.game}
          value={String(values[offer.kingdoms] ?? '')}
          change={(value) => set(offer.kingdoms, value)}
        />
      )}
      {offer.ready && <OutlookNotes offer={offer} params={paramsOf(offer, values)} />}
      {offer.ready && (
        <div className={styles.foot}>
          <Quote offer={offer} values={values} />
          <Button type="submit" look="plain">
            <Icon of={Plus} size={16} />
            <T of="Add to Order" />
          </Button>
        </div>
      )}
      <p className={styles.added} role="status">
        {added && (
          <>
            <Icon of={Check} size={14} />{' '}
            {t('Added {name} for {price}.', { name: words(added.name), price: money(added.price) })}{' '}
            <a href="#summary">{t('Review the order')}</a>
          </>
        )}
      </p>
    </form>
  );
}

const Tariff = ({ offer }: { offer: Offer }) => (
  <span className={styles.tariff}>
    {offer.price_chunk
      ? t('{price} per {chunk} {game, select, cod {lords} other {governors}}.', {
          price: money(offer.price),
          chunk: exact(offer.price_chunk),
          game: offer.game,
        })
      : t('{price} per unit.', { price: money(offer.price) })}
  </span>
);

const unreadyText = ({ paused, ready_from }: Offer): string =>
  paused ??
  (ready_from === null
    ? t('This product is not ready for purchase yet. It cannot be ordered.')
    : t('This product can be ordered from {day} on.', { day: date(ready_from) }));

/** The price of the current values; none while they are invalid. */
function Quote({ offer, values }: { offer: Offer; values: Values }) {
  const made = draftItem(offer, values, '');
  if (isFlaw(made)) return <p className={styles.quote}>{t('The price appears here once the fields are filled in.')}</p>;
  return (
    <p className={styles.quote}>
      <strong>{money(made.price)}</strong>
      <span>
        <T of="for {counted}" counted={counted(unitsOf(offer, made.entry.params), offer.kingdoms.replace(/s$/, ''))} />
      </span>
    </p>
  );
}

function OfferField({
  field,
  value,
  error,
  set,
}: {
  field: Field;
  value: string | boolean;
  error: string | null;
  set: (name: string, value: string | boolean) => void;
}) {
  if (field.type === 'boolean')
    return (
      <CheckField
        label={words(field.display)}
        help={field.help && words(field.help)}
        checked={value === true}
        onChange={(event) => set(field.name, event.target.checked)}
      />
    );
  const shared = {
    label: words(field.display),
    help: field.help && words(field.help),
    error,
    value: String(value),
    name: field.name,
  };
  if (field.options)
    return (
      <SelectField {...shared} options={field.options} onChange={(event) => set(field.name, event.target.value)} />
    );
  // A single-line input would drop the line breaks of a pasted list.
  if (field.type === 'list')
    return (
      <TextAreaField
        {...shared}
        rows={2}
        autoComplete="off"
        spellCheck={false}
        placeholder="1012, 1013, 1020-1024"
        onChange={(event) => set(field.name, event.target.value)}
      />
    );
  return (
    <TextField
      {...shared}
      autoComplete="off"
      inputMode={field.min === undefined ? 'text' : 'numeric'}
      onChange={(event) => set(field.name, event.target.value)}
    />
  );
}
