import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { words } from '../../domain/language/text.ts';
import { PAY_RULE } from '../../domain/orders/pay-rule.ts';
import { priceLine } from '../../domain/service/faq.ts';
import { productsQuery } from '../api/products.ts';
import { useSettings } from '../page-settings.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { T } from '../ui/text.tsx';

/** An FAQ answer with its links and current prices. */
export function FaqAnswer({ answer }: { answer: string }) {
  const { chat, support } = useSettings();
  return (
    <p>
      <T
        of={answer}
        chat={(text) => <a href={chat}>{text}</a>}
        register={(text) => <Link to="/register">{text}</Link>}
        support={<a href={`mailto:${support}`}>{support}</a>}
        prices={<Prices />}
        rule={words(PAY_RULE)}
      />
    </p>
  );
}

function Prices() {
  const groups = useQuery(productsQuery).data;
  if (!groups) return <Skeleton width="20rem" />;
  return groups.flatMap(({ items }) => items.map(priceLine)).join(' ');
}
