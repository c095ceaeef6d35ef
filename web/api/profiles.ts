import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { type AnyProfile, type Profiled, profileCall } from '../../domain/boards/profile.ts';
import type { GameId } from '../../domain/games/game-names.ts';
import type { searchAnswer } from '../../domain/kingdoms/contract.ts';
import { publicData } from './client.ts';

/** Boards change once a day. */
const STALE = 10 * 60_000;

/** The public profile of a governor, a kingdom or an alliance. @throws ApiError 404 if no board lists it. */
export const profileQuery = (game: GameId, one: Profiled) =>
  queryOptions({
    queryKey: ['profile', profileCall(game, one)],
    queryFn: (context) => publicData<AnyProfile>(profileCall(game, one), context),
    staleTime: STALE,
  });

/** Search results on the published boards. */
export const boardSearchQuery = (text: string) =>
  queryOptions({
    queryKey: ['board search', text],
    queryFn: (context) =>
      publicData<z.infer<typeof searchAnswer>>(`/v1/leaderboard/search?q=${encodeURIComponent(text)}`, context),
    staleTime: 60_000,
    enabled: text !== '',
    placeholderData: (before) => before,
  });
