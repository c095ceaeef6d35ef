import { useQuery } from '@tanstack/react-query';
import { t } from '../../domain/language/text.ts';
import type { TextName } from '../../domain/service/page-settings.ts';
import { textQuery } from '../api/texts.ts';
import { Loaded } from './loaded.tsx';
import styles from './operator-text.module.css';
import { Page } from './page.tsx';
import { Paragraphs } from './paragraphs.tsx';

/** A page with one of the operator's texts. */
export function OperatorText({ name, title }: { name: TextName; title: string }) {
  const query = useQuery(textQuery(name));
  return (
    <Page title={title}>
      <Loaded query={query} what={t('the text')} heights={['24rem']}>
        {({ text }) => (
          <div className={styles.text} dir="auto">
            <Paragraphs text={text} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}
