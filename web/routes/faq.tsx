import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { t, words } from '../../domain/language/text.ts';
import { PAY_RULE } from '../../domain/orders/pay-rule.ts';
import { FAQ, FAQ_TITLE, priceLine } from '../../domain/service/faq.ts';
import { productsQuery } from '../api/products.ts';
import { Failure } from '../components/failure.tsx';
import { Page } from '../components/page.tsx';
import { useSettings } from '../page-settings.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { T } from '../ui/text.tsx';
import styles from './faq.module.css';

export const Route = createFileRoute('/faq')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(productsQuery);
  },
  component: Faq,
});

function Faq() {
  const { chat, support } = useSettings();
  return (
    <Page title={words(FAQ_TITLE)}>
      <div className={styles.columns}>
        <nav aria-label={t('Questions')} className={styles.contents}>
          {FAQ.map((section) => (
            <section key={section.title} aria-label={words(section.title)}>
              <a href={`#${section.id}`} className={styles.sectionLink}>
                {words(section.title)}
              </a>
              <ul>
                {section.entries.map(({ id, question }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{words(question)}</a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </nav>
        <div className={styles.sections}>
          {FAQ.map((section) => (
            <section
              key={section.id}
              id={section.id}
              aria-labelledby={`${section.id}-title`}
              className={styles.section}
            >
              <h2 id={`${section.id}-title`}>{words(section.title)}</h2>
              {section.entries.map(({ id, question, answer }) => (
                <article key={id} id={id} className={styles.entry} aria-labelledby={`${id}-title`}>
                  <h3 id={`${id}-title`}>{words(question)}</h3>
                  <FaqAnswer answer={answer} />
                </article>
              ))}
            </section>
          ))}
          <p className={styles.more}>
            <T
              of="Something else? Ask in the <link>community chat</link> or write to {a}."
              link={(text) => <a href={chat}>{text}</a>}
              a={<a href={`mailto:${support}`}>{support}</a>}
            />
          </p>
        </div>
      </div>
    </Page>
  );
}

/** An FAQ answer with its links and current prices. */
function FaqAnswer({ answer }: { answer: string }) {
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
