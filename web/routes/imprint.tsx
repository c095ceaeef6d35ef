import { createFileRoute } from '@tanstack/react-router';
import { OperatorText } from '../components/operator-text.tsx';

export const Route = createFileRoute('/imprint')({ component: () => <OperatorText name="imprint" title="Imprint" /> });
