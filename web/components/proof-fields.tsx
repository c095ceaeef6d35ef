import { MAX_PASSWORD } from '../../domain/accounts/password.ts';
import { t } from '../../domain/language/text.ts';
import { TextField } from '../ui/field.tsx';

/** Fields of forms that require the user to authenticate again. */

export const PasswordField = ({ label = t('Password') }: { label?: string }) => (
  <TextField
    label={label}
    name="current_password"
    type="password"
    autoComplete="current-password"
    required
    maxLength={MAX_PASSWORD}
  />
);

export const CodeField = () => (
  <TextField
    label={t('Code')}
    name="code"
    autoComplete="one-time-code"
    help={t('From your authenticator app, or a recovery code.')}
    required
    maxLength={40}
  />
);
