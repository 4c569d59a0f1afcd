import type { Writable } from 'node:stream'
import pino from 'pino'
import type { HandledRequest } from './http/router.ts'
import type { Log } from './operations/context.ts'

/** Where lines go. Tests listen here. */
export interface LineSink {
  write(line: string): void
}

export interface ServiceLog extends Log {
  info(message: string): void
  request(record: HandledRequest): void
}

/**
 * What is written is a list of fields, so a secret has no way in: never an address, a query, a header or a body. The
 * words of errors are not ours, so they pass a second net that knows what our secrets look like.
 */
export function serviceLog(sink: LineSink): ServiceLog {
  const log = pino({ base: { pid: process.pid }, timestamp: () => `,"time":"${isoNow()}"` }, sink)
  const pid = process.pid
  return {
    info: (message) => log.info(redacted(message)),
    warn: (message, error) => log.warn(errorFields(error), redacted(message)),
    error: (message, error) => log.error(errorFields(error), redacted(message)),
    // Written by hand in the form of the others: it is most of what is ever logged. Only the method comes from outside.
    request: ({ requestId, method, route, status, ms }) =>
      sink.write(
        `{"level":30,"time":"${isoNow()}","pid":${pid},"request_id":"${requestId}","method":${inJson(method)},"route":"${route}","status":${status},"ms":${ms},"msg":"request"}\n`,
      ),
  }
}

const inJson = (method: string): string => (method === 'POST' ? '"POST"' : JSON.stringify(method))

let isoOf = 0
let iso = ''
/** Under load many lines are of the same millisecond. */
function isoNow(): string {
  const now = Date.now()
  if (now !== isoOf) {
    isoOf = now
    iso = new Date(now).toISOString()
  }
  return iso
}

const SECRETS = /(svc_(man|app|rt|wt|es)_|mcp_(ac|at|rt)_)[\w-]+|eyJ[\w-]+\.[\w-]+\.[\w-]*|ya29\.[\w-]+|GOCSPX-[\w-]+/g

const redacted = (text: string): string => text.replace(SECRETS, '[secret]')

function errorFields(error: unknown): Record<string, string> {
  if (error === undefined) return {}
  if (!(error instanceof Error)) return { error: redacted(String(error)).slice(0, 500) }
  const cause = error.cause instanceof Error ? `${error.cause.name}: ${error.cause.message}` : undefined
  return {
    error: redacted(`${error.name}: ${error.message}`).slice(0, 500),
    ...(cause === undefined ? {} : { cause: redacted(cause).slice(0, 500) }),
    ...(error.stack === undefined ? {} : { stack: redacted(error.stack).slice(0, 4_000) }),
  }
}

/** What may wait for a reader who has stopped reading. Beyond it lines are dropped: better a gap than no service. */
const UNREAD_MAX_BYTES = 4 * 1_024 * 1_024

/** So long a line may wait for others: a system call for each would cost more than all the rest of it. */
const GATHER_MS = 20
const GATHER_CHARACTERS = 64 * 1_024

/** JSON lines for machines; for somebody at a terminal, one readable line each. Several are written at once. */
export function standardOutput(out: Writable & { readonly isTTY?: boolean } = process.stdout): LineSink {
  let pending = ''
  const flush = (): void => {
    const lines = pending
    pending = ''
    if (lines !== '' && out.writableLength < UNREAD_MAX_BYTES) out.write(lines)
  }
  // Whoever reads our log may go away (`| head -1`); that must not stop the service.
  out.on('error', () => {})
  process.on('exit', flush)
  return {
    write(line) {
      if (pending === '') setTimeout(flush, GATHER_MS).unref()
      pending += out.isTTY ? readable(line) : line
      if (pending.length > GATHER_CHARACTERS) flush()
    },
  }
}

const LEVELS: Record<number, string> = { 30: ' ', 40: '!', 50: 'X' }

function readable(line: string): string {
  const { time, level, msg, method, route, status, ms, error, cause } = JSON.parse(line) as Record<
    string,
    string | number
  >
  const what = method === undefined ? msg : `${status} ${method} ${route} ${ms} ms`
  const why = [error, cause].filter((part) => part !== undefined).join(' ← ')
  return `${String(time).slice(11, 19)} ${LEVELS[Number(level)] ?? ' '} ${what}${why === '' ? '' : ` (${why})`}\n`
}
