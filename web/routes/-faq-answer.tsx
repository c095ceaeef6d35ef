import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FaqPart, priceLines } from '../../domain/service/faq.ts';
import { productsQuery } from '../api/products.ts';
import { useSettings } from '../page-settings.ts';

/** An FAQ answer with its links and current prices. */
export const FaqAnswer = ({ parts }: { parts: readonly FaqPart[] }) => (
  <p>
    {parts.map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an answer never change.
      <Part key={index} part={part} />
    ))}
  </p>
);

function Part({ part }: { part: FaqPart }) {
  const { chat, support } = useSettings();
  if (typeof part === 'string') return part;
  if ('prices' in part) return <Prices />;
  switch (part.to) {
    case 'register':
      return <Link to="/register">{part.text}</Link>;
    case 'chat':
      return <a href={chat}>{part.text}</a>;
    case 'support':
      return <a href={`mailto:${support}`}>{support}</a>;
  }
}

function Prices() {
  const offers = useQuery(productsQuery).data?.flatMap((group) => group.items);
  return priceLines(({ id }) => offers?.find((offer) => offer.id === id)?.ready ?? null).join(' ');
}
