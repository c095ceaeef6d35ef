import { createFileRoute, Link } from '@tanstack/react-router';
import page from '../../docs/recipes.md?raw';
import { listed, message, t, words } from '../../domain/language/text.ts';
import { RECIPE_TEXTS, recipesIn } from '../../domain/service/recipes.ts';
import { Page } from '../components/page.tsx';
import { Panel } from '../components/panel.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { T } from '../ui/text.tsx';
import styles from './recipes.module.css';

export const Route = createFileRoute('/recipes')({ component: Recipes });

const RECIPES = Map.groupBy(recipesIn(page), ({ title }) => title);

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: message('Shell'),
  python: 'Python',
  js: 'JavaScript',
};

/** Programs to copy. Tests run each of them as it is here. */
function Recipes() {
  return (
    <Page
      title={t('Recipes for your own programs')}
      about={
        <T
          of="Each comes in shell, Python (standard library only) and JavaScript (Node without packages). All read two settings from the environment: {muster}, the address of this site, and {secret}, an API key. Make the key under <keys>My Account</keys> with the scopes {read} and {order}, unless a recipe names others. <api>Every call is described here</api>."
          muster={<code translate="no">MUSTER</code>}
          secret={<code translate="no">MUSTER_KEY</code>}
          read={<code translate="no">read</code>}
          order={<code translate="no">order</code>}
          keys={(text) => <Link to="/account/keys">{text}</Link>}
          api={(text) => <Link to="/api-docs">{text}</Link>}
        />
      }
    >
      {RECIPE_TEXTS.map(({ title, about }) => (
        <Panel key={title} title={words(title)} about={words(about)}>
          {RECIPES.get(title)?.map(({ language, code }, place) => (
            <details key={language} open={place === 0} className={styles.recipe}>
              <summary className={styles.language}>{words(LANGUAGES[language] ?? language)}</summary>
              <pre className={styles.code} translate="no">
                {code}
              </pre>
              <CopyButton text={code} what={listed([words(title), words(LANGUAGES[language] ?? language)])} />
            </details>
          ))}
        </Panel>
      ))}
      <Panel title={t('Live sheets')}>
        <p>
          {t(
            'The Share button of an event and of a war room offers lines for Google Sheets, Excel and DuckDB. Each reads the newest scan whenever the tool loads it again, without an account.',
          )}
        </p>
      </Panel>
    </Page>
  );
}
