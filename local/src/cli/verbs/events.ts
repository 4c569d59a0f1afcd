import { AUTH_EVENT_KINDS, type AuthEvent, EVENTS_PAGE_MAX } from '@gatehouse/contract'
import { type EventFilter, eventsAfter, newestEvents } from '../../api/events.ts'
import { oneLine } from '../../safe-text.ts'
import type { CommandIo } from '../desk.ts'
import { followEvents } from '../follow-events.ts'
import { interruptible } from '../interruptible.ts'
import { count, type Options, usage, type Verb } from '../verb.ts'

const LIMIT_DEFAULT = 20

export const events: Verb = {
  name: 'events',
  takes: '[--follow] [--limit <n>] [--after <id>] [--event <kind>] [--user <id>]',
  summary: 'the newest sign-ins, refusals, refreshes and sign-outs',
  more: [
    'Oldest of them first, one line each. With --json one event a line, as the API has it.',
    '',
    '-f, --follow       go on with new ones as they happen, until Ctrl-C',
    `--limit <n>        how many of the newest, ${LIMIT_DEFAULT} unless you say otherwise (0 with --follow: only new ones)`,
    '--after <id>       those after this one instead',
    `--event <kind>     ${AUTH_EVENT_KINDS.join(', ')}`,
    '--user <id>        of one person',
  ],
  options: {
    follow: { type: 'boolean', short: 'f' },
    limit: { type: 'string' },
    after: { type: 'string' },
    event: { type: 'string' },
    user: { type: 'string' },
  },
  words: { min: 0, max: 0 },
  async run(io, _words, options) {
    const limit = count(options.limit, 'limit', EVENTS_PAGE_MAX) ?? LIMIT_DEFAULT
    const after = count(options.after, 'after', Number.MAX_SAFE_INTEGER)
    const filter = filterOf(options)
    const project = await io.project()
    const show = (event: AuthEvent): void => io.response(event, () => [line(io, event)])

    const found =
      after === undefined
        ? await newestEvents(project, Math.max(limit, 1), filter)
        : await eventsAfter(project, after, Math.max(limit, 1), filter)
    if (limit > 0) found.forEach(show)
    if (options.follow === true) {
      const from = found.at(-1)?.id ?? after ?? 0
      await interruptible((signal) => followEvents(io, project, { from, filter, show, signal }))
    } else if (found.length === 0) io.note('Nothing has happened yet. Open the login link: gatehouse-local status')
    return undefined
  },
}

function filterOf({ event, user }: Options): EventFilter {
  if (event !== undefined && !AUTH_EVENT_KINDS.some((kind) => kind === event)) {
    throw usage(`--event is one of ${AUTH_EVENT_KINDS.join(', ')}.`, 'events')
  }
  const userId = count(user, 'user', Number.MAX_SAFE_INTEGER)
  return {
    ...(event === undefined ? {} : { event: String(event) }),
    ...(userId === undefined ? {} : { user_id: userId }),
  }
}

const COLOURS: Partial<Record<AuthEvent['event'], 'green' | 'yellow' | 'red'>> = {
  authorize: 'green',
  consent_denied: 'yellow',
  login_failed: 'red',
}

/** Who and where from is written by strangers: it is shown as text, on one line, whatever it contains. */
function line({ paint }: CommandIo, { id, event, email, return_to, metadata, created_at_ms }: AuthEvent): string {
  const colour = COLOURS[event]
  const at = new Date(created_at_ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z/, 'Z')
  const kind = event.padEnd(15)
  const more = Object.entries(metadata).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const parts = [email ?? '-', ...(return_to === null ? [] : [`return_to=${return_to}`]), ...more]
  return `${paint.dim(at)}  ${colour === undefined ? kind : paint[colour](kind)}  #${id}  ${oneLine(parts.join('  '))}`
}
