import {
  type AuthEvent,
  EVENTS_PAGE_MAX,
  LONG_POLL_MAX_SECONDS,
  listEvents,
} from '@gatehouse-auth/contract'
import type { Project } from '../credentials/project.ts'
import { manage } from './tenants.ts'

export interface EventFilter {
  readonly event?: string
  readonly user_id?: number
}

export async function eventsAfter(
  project: Project,
  after: number,
  limit: number,
  filter: EventFilter = {},
): Promise<AuthEvent[]> {
  return (await manage(project, listEvents, { query: { ...filter, after, limit } })).events
}

/** Long poll: resolves with newer events, or with an empty list when the poll times out. */
export async function nextEvents(
  project: Project,
  after: number,
  filter: EventFilter,
): Promise<AuthEvent[]> {
  const query = { ...filter, after, limit: EVENTS_PAGE_MAX, wait: LONG_POLL_MAX_SECONDS }
  return (
    await manage(project, listEvents, { query, extraTimeoutMs: LONG_POLL_MAX_SECONDS * 1_000 })
  ).events
}

/**
 * The newest `count` events, oldest first. The API lists events in ascending order only, so a binary search over ids finds
 * the last page: about forty requests for a million events.
 */
export async function newestEvents(
  project: Project,
  count: number,
  filter: EventFilter,
): Promise<AuthEvent[]> {
  const first = await eventsAfter(project, 0, EVENTS_PAGE_MAX, filter)
  if (first.length < EVENTS_PAGE_MAX) {
    return first.slice(-count)
  }
  const hasEventAfter = async (id: number): Promise<boolean> =>
    (await eventsAfter(project, id, 1, filter)).length > 0

  let known = first.at(-1)?.id ?? 0
  let beyond = known * 2
  while (await hasEventAfter(beyond)) {
    ;[known, beyond] = [beyond, beyond * 2]
  }
  while (beyond - known > count) {
    const middle = Math.floor((known + beyond) / 2)
    if (await hasEventAfter(middle)) {
      known = middle
    } else {
      beyond = middle
    }
  }
  // Ids have gaps, so the window doubles until it contains `count` events.
  for (let window = count; ; window *= 2) {
    const from = Math.max(0, known - window)
    const found = await allAfter(project, from, filter)
    if (found.length >= count || from === 0) {
      return found.slice(-count)
    }
  }
}

async function allAfter(
  project: Project,
  after: number,
  filter: EventFilter,
): Promise<AuthEvent[]> {
  const all: AuthEvent[] = []
  for (let from = after; ; ) {
    const page = await eventsAfter(project, from, EVENTS_PAGE_MAX, filter)
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < EVENTS_PAGE_MAX) {
      return all
    }
    from = last.id
  }
}
