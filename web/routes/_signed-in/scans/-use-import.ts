import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { GAMES } from '../../../../domain/games/games.ts';
import { type ImportChoice, type ImportPreview, previewAgain, saveImport } from '../../../api/scans.ts';

/**
 * A file that waits to be saved: what was read of it by what its owner has chosen so far. `chosen` is the choice that the
 * first preview was made by, and `onChoice` hears of every other one.
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
    // Told of the last question alone: an answer to one before it would show what is not saved.
    looking.mutate(next, { onSuccess: setPreview });
  };
  const complete = preview.scans.every(({ kingdom_id, captured_at }) => kingdom_id !== null && captured_at !== null);
  // What would be saved is what is shown.
  const shown = !looking.isPending && !looking.isError;
  return { preview, choice, change, looking, saving, complete, ready: complete && shown };
}

/** What can be corrected of what a file or its name says; null where nothing can. */
export interface Correctable {
  /** The one kingdom of all of it; null where rows name theirs. */
  kingdom: number | null;
  /** The one moment of all of it, epoch milliseconds. */
  captured_at: number | null;
}

export function correctable({ scans, range, headers, game }: ImportPreview): Correctable | null {
  const [first, ...others] = scans;
  if (!first || range || scans.some(({ stage }) => stage !== null)) return null;
  if (others.some(({ captured_at }) => captured_at !== first.captured_at)) return null;
  const isNamed = headers.some(({ column }) => column === GAMES[game].roles.kingdom);
  return { kingdom: others.length > 0 || isNamed ? null : first.kingdom_id, captured_at: first.captured_at };
}
