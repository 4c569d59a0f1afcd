import { setTimeout as sleep } from 'node:timers/promises'
import type { AuthEvent } from '@gatehouse/contract'
import { type EventFilter, nextEvents } from '../api/events.ts'
import type { Project } from '../credentials/read.ts'
import { Problem } from '../problem.ts'
import type { CommandIo } from './desk.ts'

const RETRY_MIN_MS = 1_000
const RETRY_MAX_MS = 30_000

interface Following {
  readonly from: number
  readonly filter: EventFilter
  readonly show: (event: AuthEvent) => void
  readonly signal: AbortSignal
}

/** New events as they happen, until the person has seen enough. A service that goes away for a while is waited for. */
export async function followEvents(
  io: CommandIo,
  project: Project,
  { from, filter, show, signal }: Following,
): Promise<void> {
  io.note('Following; Ctrl-C ends it.')
  let last = from
  let pause = RETRY_MIN_MS
  while (!signal.aborted) {
    try {
      for (const event of await nextEvents(project, last, filter, signal)) {
        show(event)
        last = event.id
      }
      pause = RETRY_MIN_MS
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof Problem) || !isPassing(error)) throw error
      io.note(`${error.message} Trying again in ${pause / 1_000} s.`)
      await sleep(pause, undefined, { signal }).catch(() => {})
      pause = Math.min(pause * 2, RETRY_MAX_MS)
    }
  }
}

const isPassing = ({ code }: Problem): boolean =>
  code === 'serviceUnreachable' || code === 'temporarilyUnavailable' || code === 'internalError'
