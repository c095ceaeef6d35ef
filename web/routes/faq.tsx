import { createFileRoute } from '@tanstack/react-router';
import { FAQ, FAQ_TITLE } from '../../domain/service/faq.ts';
import { productsQuery } from '../api/products.ts';
import { Page } from '../components/page.tsx';
import { useSettings } from '../page-settings.ts';
import { FaqAnswer } from './-faq-answer.tsx';
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
    <Page title={FAQ_TITLE}>
      <div className={styles.columns}>
        <nav aria-label="Questions" className={styles.contents}>
          {FAQ.map((section) => (
            <section key={section.title} aria-label={section.title}>
              <a href={`#${section.id}`} className={styles.sectionLink}>
                {section.title}
              </a>
              <ul>
                {section.entries.map(({ id, question }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{question}</a>
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
              <h2 id={`${section.id}-title`}>{section.title}</h2>
              {section.entries.map(({ id, question, answer }) => (
                <article key={id} id={id} className={styles.entry} aria-labelledby={`${id}-title`}>
                  <h3 id={`${id}-title`}>{question}</h3>
                  <FaqAnswer parts={answer} />
                </article>
              ))}
            </section>
          ))}
          <p className={styles.more}>
            Something else? Ask in the <a href={chat}>community chat</a> or write to{' '}
            <a href={`mailto:${support}`}>{support}</a>.
          </p>
        </div>
      </div>
    </Page>
  );
}
