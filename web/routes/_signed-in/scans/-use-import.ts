import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { GAMES } from '../../../../domain/games/games.ts';
import { type ImportChoice, type ImportPreview, previewAgain, saveImport } from '../../../api/scans.ts';

/**
 * State of an import: its preview and the user's choices. `chosen` is the choice of the first preview; `onChoice`
 * receives every later one.
 */
export function useImport(
  first: ImportPreview,
  { chosen, onChoice, done }: { chosen: ImportChoice; onChoice: (choice: ImportChoice) => void; done: () => void },
) {
  const [preview, setPreview] = useState(first);
  const [choice, setChoice] = useState(chosen);
  const looking = useMutation({ mutationFn: (next: ImportChoice) => previewAgain(first.import_id, next) });
  const saving = useMutation({ mutationFn: () => saveImport(first.import_id, choice), onSuccess: done });
  const change = (part: ImportChoice) => {
    const next = { ...choice, ...part };
    setChoice(next);
    onChoice(next);
    // Only the latest request's callback runs, so an outdated preview is never shown.
    looking.mutate(next, { onSuccess: setPreview });
  };
  const complete = preview.scans.every(({ kingdom_id, captured_at }) => kingdom_id !== null && captured_at !== null);
  // Only what is shown may be saved.
  const shown = !looking.isPending && !looking.isError;
  return { preview, choice, change, looking, saving, complete, ready: complete && shown };
}

/** Values from the file or its name that the user can correct; null if none. */
interface Correctable {
  /** The kingdom of all rows; null if rows name their own. */
  kingdom: number | null;
  /** The time of all rows, in epoch ms. */
  captured_at: number | null;
}

export function correctable({ scans, range, headers, game }: ImportPreview): Correctable | null {
  const [first, ...others] = scans;
  if (!first || range || scans.some(({ stage }) => stage !== null)) return null;
  if (others.some(({ captured_at }) => captured_at !== first.captured_at)) return null;
  const isNamed = headers.some(({ column }) => column === GAMES[game].roles.kingdom);
  return { kingdom: others.length > 0 || isNamed ? null : first.kingdom_id, captured_at: first.captured_at };
}
