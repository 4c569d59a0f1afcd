import { setTimeout as sleep } from 'node:timers/promises'
import { AUTH_EVENT_KINDS, type AuthEvent, EVENTS_PAGE_MAX } from '@gatehouse-auth/contract'
import { type EventFilter, eventsAfter, newestEvents, nextEvents } from '../../api/events.ts'
import { findRefusals } from '../../api/management.ts'
import type { Project } from '../../credentials/project.ts'
import { interruption } from '../../interruption.ts'
import { commandLine } from '../../invocation.ts'
import { Problem, singleLine } from '../../problem.ts'
import { type Command, type Options, parseInteger, usageProblem } from '../command.ts'
import type { CommandIo } from '../command-io.ts'

const LIMIT_DEFAULT = 20

export const events: Command = {
  name: 'events',
  synopsis: '[--follow] [--limit <n>] [--after <id>] [--event <kind>] [--user <id>]',
  summary: 'list the newest logins, failures, refreshes and logouts',
  details: [
    'One line per event, oldest first. With --json: one API event object per line.',
    '',
    '-f, --follow       keep printing new events until Ctrl-C',
    `--limit <n>        number of events, default ${LIMIT_DEFAULT} (0 with --follow: new events only)`,
    '--after <id>       events after this id instead of the newest',
    `--event <kind>     one of ${AUTH_EVENT_KINDS.join(', ')}`,
    '--user <id>        events of one user',
  ],
  options: {
    follow: { type: 'boolean', short: 'f' },
    limit: { type: 'string' },
    after: { type: 'string' },
    event: { type: 'string' },
    user: { type: 'string' },
  },
  positionals: { min: 0, max: 0 },
  async run(io, _positionals, options) {
    const limit = parseInteger(options.limit, 'limit', EVENTS_PAGE_MAX) ?? LIMIT_DEFAULT
    const after = parseInteger(options.after, 'after', Number.MAX_SAFE_INTEGER)
    const filter = filterOf(options)
    const project = await io.project()
    const print = (event: AuthEvent): void => io.printResult(event, () => [line(io, event)])

    const found =
      after === undefined
        ? await newestEvents(project, Math.max(limit, 1), filter)
        : await eventsAfter(project, after, Math.max(limit, 1), filter)
    if (limit > 0) {
      found.forEach(print)
    }
    if (options.follow === true) {
      const last = found.at(-1)?.id ?? after ?? 0
      await followEvents(io, project, { after: last, filter, print })
    } else if (found.length === 0) {
      io.printNote(`No events. For the login link, run: ${commandLine('status')}`)
    }
    return undefined
  },
}

function filterOf({ event, user }: Options): EventFilter {
  if (event !== undefined && !AUTH_EVENT_KINDS.some((kind) => kind === event)) {
    throw usageProblem(`--event must be one of ${AUTH_EVENT_KINDS.join(', ')}.`, 'events')
  }
  const userId = parseInteger(user, 'user', Number.MAX_SAFE_INTEGER)
  return {
    ...(event === undefined ? {} : { event: String(event) }),
    ...(userId === undefined ? {} : { user_id: userId }),
  }
}

const COLORS: Partial<Record<AuthEvent['event'], 'green' | 'yellow' | 'red'>> = {
  authorize: 'green',
  consent_denied: 'yellow',
  login_failed: 'red',
}

/** Email, return_to and metadata are untrusted input: control characters are removed before printing. */
function line(
  { colors }: CommandIo,
  { id, event, email, return_to, metadata, created_at_ms }: AuthEvent,
): string {
  const color = COLORS[event]
  const at = new Date(created_at_ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z/, 'Z')
  const kind = event.padEnd(15)
  const more = Object.entries(metadata).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const columns = [email ?? '-', ...(return_to === null ? [] : [`return_to=${return_to}`]), ...more]
  return `${colors.dim(at)}  ${color === undefined ? kind : colors[color](kind)}  #${id}  ${singleLine(columns.join('  '))}`
}

const RETRY_MIN_MS = 1_000
const RETRY_MAX_MS = 30_000

interface FollowOptions {
  /** The id of the last event that was already printed. */
  readonly after: number
  readonly filter: EventFilter
  readonly print: (event: AuthEvent) => void
}

/** Prints new events until Ctrl-C. Retries with exponential backoff while the service is unavailable. */
async function followEvents(
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
      if (interruption.aborted) {
        return
      }
      if (!(error instanceof Problem) || !isTransient(error)) {
        throw error
      }
      io.printNote(`${error.message} Retrying in ${delay / 1_000} s.`)
      await sleep(delay, undefined, { signal: interruption }).catch(() => {})
      delay = Math.min(delay * 2, RETRY_MAX_MS)
    }
  }
}

const isTransient = ({ code }: Problem): boolean =>
  code === 'serviceUnreachable' || code === 'temporarilyUnavailable' || code === 'internalError'

export const refusals: Command = {
  name: 'refusals',
  synopsis: '',
  summary: 'list the refused sign-ins of the last 24 hours, each with its fix',
  details: [
    'One line per kind of refusal, and below it how to fix it. With --json: one API object per line.',
  ],
  positionals: { min: 0, max: 0 },
  async run(io) {
    const found = await findRefusals(await io.project())
    for (const refusal of found) {
      const { code, count, meaning, fix } = refusal
      io.printResult(refusal, () => [
        singleLine(`${count}×  ${code}  ${meaning}`),
        `     ${singleLine(fix)}`,
      ])
    }
    if (found.length === 0) {
      io.printNote('No refused sign-ins in the last 24 hours.')
    }
    return undefined
  },
}
