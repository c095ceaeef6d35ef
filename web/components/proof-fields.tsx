import { MAX_PASSWORD } from '../../domain/accounts/password.ts';
import { TextField } from '../ui/field.tsx';

/** Fields of forms that require the user to authenticate again. */

export const PasswordField = ({ label = 'Password' }: { label?: string }) => (
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
    label="Code"
    name="code"
    autoComplete="one-time-code"
    help="From your authenticator app, or a recovery code."
    required
    maxLength={40}
  />
);
