import { createFileRoute } from '@tanstack/react-router';
import { t } from '../../domain/language/text.ts';
import { textQuery } from '../api/texts.ts';
import { OperatorText } from '../components/texts.tsx';

export const Route = createFileRoute('/imprint')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(textQuery('imprint'));
  },
  component: () => <OperatorText name="imprint" title={t('Imprint')} />,
});
