import { createFileRoute } from '@tanstack/react-router';
import { textQuery } from '../api/texts.ts';
import { OperatorText } from '../components/operator-text.tsx';

export const Route = createFileRoute('/privacy')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(textQuery('privacy'));
  },
  component: () => <OperatorText name="privacy" title="Privacy" />,
});
