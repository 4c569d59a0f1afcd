import type { Writable } from 'node:stream'
import { SECRET_PREFIX_PATTERN } from '@gatehouse-auth/contract'
import pino from 'pino'
import type { HandledRequest } from './http/dependencies.ts'
import type { Log } from './operations/context.ts'

/** The destination of log lines. Tests replace it. */
export interface LineSink {
  write(line: string): void
}

export interface ServiceLog extends Log {
  info(message: string): void
  request(record: HandledRequest): void
}

/**
 * Writes a fixed list of fields and never a URL, query, header or body, because those carry secrets. Error messages come
 * from other libraries, so anything in them that looks like a secret is redacted.
 */
export function serviceLog(sink: LineSink): ServiceLog {
  const log = pino({ base: { pid: process.pid }, timestamp: () => `,"time":"${isoNow()}"` }, sink)
  const pid = process.pid
  return {
    info: (message) => log.info(redacted(message)),
    warn: (message, error) => log.warn(errorFields(error), redacted(message)),
    error: (message, error) => log.error(errorFields(error), redacted(message)),
    // Formatted by hand for speed: almost every line is a request. Only `method` is user input and needs escaping.
    request: ({ requestId, method, route, status, ms }) =>
      sink.write(
        `{"level":30,"time":"${isoNow()}","pid":${pid},"request_id":"${requestId}","method":${methodJson(method)},"route":"${route}","status":${status},"ms":${ms},"msg":"request"}\n`,
      ),
  }
}

const methodJson = (method: string): string =>
  method === 'POST' ? '"POST"' : JSON.stringify(method)

let cachedMs = 0
let cachedIso = ''
/** Cached, because under load many lines have the same millisecond. */
function isoNow(): string {
  const now = Date.now()
  if (now !== cachedMs) {
    cachedMs = now
    cachedIso = new Date(now).toISOString()
  }
  return cachedIso
}

/** Secrets of this service, JWTs, and Google's access tokens and client secrets. */
const SECRETS = new RegExp(
  `${SECRET_PREFIX_PATTERN}[\\w-]+|eyJ[\\w-]+\\.[\\w-]+\\.[\\w-]*|ya29\\.[\\w-]+|GOCSPX-[\\w-]+`,
  'g',
)

const redacted = (text: string): string => text.replace(SECRETS, '[secret]')

/** In characters. */
const ERROR_MAX = 500
const STACK_MAX = 4_000

function errorFields(error: unknown): Record<string, string> {
  if (error === undefined) {
    return {}
  }
  if (!(error instanceof Error)) {
    return { error: redacted(String(error)).slice(0, ERROR_MAX) }
  }
  const fields: Record<string, string> = { error: describe(error) }
  if (error.cause instanceof Error) {
    fields.cause = describe(error.cause)
  }
  if (error.stack !== undefined) {
    fields.stack = redacted(error.stack).slice(0, STACK_MAX)
  }
  return fields
}

const describe = ({ name, message }: Error): string =>
  redacted(`${name}: ${message}`).slice(0, ERROR_MAX)

/** If the reader of the log stops reading, lines beyond this buffer are dropped, so that requests continue. */
const UNREAD_MAX_BYTES = 4 * 1_024 * 1_024

/** Lines are written in batches: a system call per line would cost more than formatting it. */
const BATCH_MS = 20
const BATCH_CHARACTERS = 64 * 1_024

/** JSON lines, or readable lines when the output is a terminal. */
export function standardOutput(
  out: Writable & { readonly isTTY?: boolean } = process.stdout,
): LineSink {
  let pending = ''
  const flush = (): void => {
    const lines = pending
    pending = ''
    if (lines !== '' && out.writableLength < UNREAD_MAX_BYTES) {
      out.write(lines)
    }
  }
  // A closed pipe (`| head -1`) must not stop the service.
  out.on('error', () => {})
  process.on('exit', flush)
  return {
    write(line) {
      if (pending === '') {
        setTimeout(flush, BATCH_MS).unref()
      }
      pending += out.isTTY ? readable(line) : line
      if (pending.length > BATCH_CHARACTERS) {
        flush()
      }
    },
  }
}

// The levels of pino.
const WARN = 40
const ERROR = 50

const MARKS: Readonly<Record<number, string>> = { [WARN]: '!', [ERROR]: 'X' }

type LogFields = Readonly<Record<string, string | number>>

function readable(line: string): string {
  const fields = JSON.parse(line) as LogFields
  const clock = String(fields.time).slice(11, 19)
  const mark = MARKS[Number(fields.level)] ?? ' '
  return `${clock} ${mark} ${summaryOf(fields)}${reasonOf(fields)}\n`
}

function summaryOf({ msg, method, route, status, ms }: LogFields): string {
  if (method === undefined) {
    return String(msg)
  }
  return `${status} ${method} ${route} ${ms} ms`
}

function reasonOf({ error, cause }: LogFields): string {
  const reasons = [error, cause].filter((part) => part !== undefined)
  return reasons.length === 0 ? '' : ` (${reasons.join(' ← ')})`
}

/** Ends a start that cannot succeed. */
export function exitWith(lines: readonly string[]): never {
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(1)
}
