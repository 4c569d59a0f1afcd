import { setTimeout as sleep } from 'node:timers/promises'
import type { AuthEvent } from '@gatehouse/contract'
import { type EventFilter, nextEvents } from '../api/events.ts'
import type { Project } from '../credentials/project.ts'
import { interruption } from '../interruption.ts'
import { Problem } from '../problem.ts'
import type { CommandIo } from './command-io.ts'

const RETRY_MIN_MS = 1_000
const RETRY_MAX_MS = 30_000

interface FollowOptions {
  /** The id of the last event that was already printed. */
  readonly after: number
  readonly filter: EventFilter
  readonly print: (event: AuthEvent) => void
}

/** Prints new events until Ctrl-C. Retries with exponential backoff while the service is unavailable. */
export async function followEvents(
  io: CommandIo,
  project: Project,
  { after, filter, print }: FollowOptions,
): Promise<void> {
  io.printNote('Waiting for new events. Press Ctrl-C to stop.')
  let last = after
  let delay = RETRY_MIN_MS
  while (!interruption.aborted) {
    try {
      for (const event of await nextEvents(project, last, filter)) {
        print(event)
        last = event.id
      }
      delay = RETRY_MIN_MS
    } catch (error) {
      if (interruption.aborted) return
      if (!(error instanceof Problem) || !isTransient(error)) throw error
      io.printNote(`${error.message} Retrying in ${delay / 1_000} s.`)
      await sleep(delay, undefined, { signal: interruption }).catch(() => {})
      delay = Math.min(delay * 2, RETRY_MAX_MS)
    }
  }
}

const isTransient = ({ code }: Problem): boolean =>
  code === 'serviceUnreachable' || code === 'temporarilyUnavailable' || code === 'internalError'
