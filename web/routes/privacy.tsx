import { createFileRoute } from '@tanstack/react-router';
import { OperatorText } from '../components/operator-text.tsx';

export const Route = createFileRoute('/privacy')({ component: () => <OperatorText name="privacy" title="Privacy" /> });
