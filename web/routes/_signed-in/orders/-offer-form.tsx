import { Check, Plus } from 'lucide';
import { type FormEvent, useState } from 'react';
import type { Field } from '../../../../domain/orders/catalogue.ts';
import { priceOf, unitsOf } from '../../../../domain/orders/pricing.ts';
import type { Offer } from '../../../api/products.ts';
import { counted, exact, money } from '../../../format.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckField, SelectField, TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { type DraftItem, draftItem, initialValues, paramsOf, type Values } from './-draft.ts';
import styles from './-offer-form.module.css';
import { OutlookNotes } from './-outlook-notes.tsx';

/** The fields of one product, the price that they make, and the way into the order. */
export function OfferForm({ offer, add }: { offer: Offer; add: (item: DraftItem) => void }) {
  const [values, setValues] = useState<Values>(() => initialValues(offer));
  const [problem, setProblem] = useState<string | null>(null);
  const [added, setAdded] = useState('');
  const set = (name: string, value: string | boolean) => {
    setValues({ ...values, [name]: value });
    setProblem(null);
    setAdded('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const item = draftItem(offer, values, crypto.randomUUID());
    if (typeof item === 'string') return setProblem(item);
    add(item);
    setProblem(null);
    setAdded(`Added ${item.name} for ${money(item.price)}.`);
    setValues({ ...values, [offer.kingdoms]: '' });
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.about}>
        {offer.description} <Tariff offer={offer} />
      </p>
      {!offer.ready && <Notice>This product is not ready for purchase yet. It cannot be ordered.</Notice>}
      <fieldset className={styles.fields} disabled={!offer.ready}>
        {offer.fields.map((field) => (
          <OfferField key={field.name} field={field} value={values[field.name] ?? ''} set={set} />
        ))}
      </fieldset>
      {offer.ready && <OutlookNotes offer={offer} params={paramsOf(offer, values)} />}
      {problem && <Notice tone="danger">{problem}</Notice>}
      {offer.ready && (
        <div className={styles.foot}>
          <Quote offer={offer} values={values} />
          <Button type="submit" look="plain">
            <Icon of={Plus} size={16} />
            Add to Order
          </Button>
        </div>
      )}
      <p className={styles.added} role="status">
        {added && (
          <>
            <Icon of={Check} size={14} /> {added} <a href="#summary">Review the order</a>
          </>
        )}
      </p>
    </form>
  );
}

const Tariff = ({ offer }: { offer: Offer }) => (
  <span className={styles.tariff}>
    {money(offer.price)} per {offer.price_chunk ? `${exact(offer.price_chunk)} ${offer.price_field}` : 'unit'}.
  </span>
);

/** What the fields cost as they stand, and how that comes about. */
function Quote({ offer, values }: { offer: Offer; values: Values }) {
  const params = paramsOf(offer, values);
  const units = unitsOf(offer, params);
  return (
    <p className={styles.quote}>
      <strong>{money(priceOf(offer, params))}</strong>
      <span>for {counted(units, offer.kingdoms.replace(/s$/, ''))}</span>
    </p>
  );
}

function OfferField({
  field,
  value,
  set,
}: {
  field: Field;
  value: string | boolean;
  set: (name: string, value: string | boolean) => void;
}) {
  if (field.type === 'boolean')
    return (
      <CheckField
        label={field.display}
        help={field.help}
        checked={value === true}
        onChange={(event) => set(field.name, event.target.checked)}
      />
    );
  const shared = {
    label: field.display,
    help: field.help,
    value: String(value),
    name: field.name,
  };
  if (field.options)
    return (
      <SelectField {...shared} options={field.options} onChange={(event) => set(field.name, event.target.value)} />
    );
  return (
    <TextField
      {...shared}
      autoComplete="off"
      inputMode={field.min === undefined ? 'text' : 'numeric'}
      placeholder={field.price_per_unit ? '1012, 1013' : undefined}
      onChange={(event) => set(field.name, event.target.value)}
    />
  );
}
