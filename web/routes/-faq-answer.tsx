import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { words } from '../../domain/language/text.ts';
import { PAY_RULE } from '../../domain/orders/pay-rule.ts';
import { priceLine } from '../../domain/service/faq.ts';
import { productsQuery } from '../api/products.ts';
import { Failure } from '../components/failure.tsx';
import { useSettings } from '../page-settings.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { T } from '../ui/text.tsx';

/** An FAQ answer with its links and current prices. */
export function FaqAnswer({ answer }: { answer: string }) {
  const { chat, support } = useSettings();
  const hasPrices = answer.includes('{prices}');
  const products = useQuery({ ...productsQuery, enabled: hasPrices });
  if (hasPrices && products.isLoadingError)
    return <Failure error={products.error} retry={products.refetch} busy={products.isFetching} />;
  return (
    <p>
      <T
        of={answer}
        chat={(text) => <a href={chat}>{text}</a>}
        register={(text) => <Link to="/register">{text}</Link>}
        support={<a href={`mailto:${support}`}>{support}</a>}
        prices={products.data?.flatMap(({ items }) => items.map(priceLine)).join(' ') ?? <Skeleton width="20rem" />}
        rule={words(PAY_RULE)}
      />
    </p>
  );
}
