import { readFileSync } from 'node:fs'
import { PassThrough, Writable } from 'node:stream'
import { parseJson } from '../json.ts'

/** Results by protocol version and method, recorded from this server by the build (scripts/build.ts). */
type Recorded = Readonly<Record<string, Readonly<Record<string, object>>>>

/** What the server reads and writes, instead of standard input and output. */
interface Wire {
  readonly stdin: PassThrough
  readonly stdout: Writable
  /** The server has started: it answers everything from here on. */
  started(): void
}

/** Set while `mcp` starts. */
export let wire: Wire | null = null

const SLOW_CLIENT_MS = 250
const MAX_LINE_BYTES = 64 * 1_024

/**
 * Answers `initialize`, `server/discover` and `tools/list` before the server is loaded: fast clients give up on a server whose
 * first tool list takes seconds. The server gets the same messages later, and its own answers to them are dropped.
 *
 * Resolves when the server is needed: loading it blocks this process. That is after the tool list, at a message that only the
 * server can answer, or when the client is slow.
 */
export async function answerFirst(): Promise<void> {
  const recorded = readRecorded()
  if (recorded === null) {
    return
  }
  let serverNeeded = (): void => {}
  const needed = new Promise<void>((resolve) => {
    serverNeeded = resolve
  })
  const stdin = new PassThrough()
  const answered = new Set<unknown>()
  let version: string | null = null
  let isWaiting = true
  let rest = ''

  const answer = (line: string): void => {
    if (line.includes('"notifications/initialized"')) {
      return
    }
    const message = readRequest(line)
    version ??= message === null ? null : versionOf(message)
    const result = message === null ? undefined : recorded[version ?? '']?.[message.method]
    if (message === null || result === undefined || answered.has(message.id)) {
      serverNeeded()
      return
    }
    answered.add(message.id)
    process.stdout.write(`${JSON.stringify({ result, jsonrpc: '2.0', id: message.id })}\n`)
    if (message.method === 'tools/list') {
      serverNeeded()
    }
  }

  process.stdin.on('data', (chunk: Buffer) => {
    stdin.write(chunk)
    if (!isWaiting) {
      return
    }
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE_BYTES) {
      isWaiting = false
    }
    for (const line of lines) {
      if (isWaiting) {
        answer(line)
      }
    }
  })
  process.stdin.on('end', () => {
    stdin.end()
    serverNeeded()
  })

  const stdout = new Writable({
    // The server writes one message at a time.
    write(chunk: Buffer, _encoding, done) {
      const { id, result } = (
        answered.size === 0 ? {} : parseJson(chunk.toString('utf8'))
      ) as Record<string, unknown>
      if (result !== undefined && answered.delete(id)) {
        done()
      } else {
        process.stdout.write(chunk, done)
      }
    },
  })
  wire = {
    stdin,
    stdout,
    started() {
      isWaiting = false
    },
  }
  const timer = setTimeout(serverNeeded, SLOW_CLIENT_MS)
  await needed
  clearTimeout(timer)
}

/** null when this program runs from its sources. */
function readRecorded(): Recorded | null {
  try {
    return JSON.parse(
      readFileSync(new URL('../mcp/first-answers.json', import.meta.url), 'utf8'),
    ) as Recorded
  } catch {
    return null
  }
}

interface Request {
  readonly id: string | number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** null: no request, or one that the server may reject. */
function readRequest(line: string): Request | null {
  const { jsonrpc, id, method, params = {} } = (parseJson(line) ?? {}) as Record<string, unknown>
  const isId = typeof id === 'string' || typeof id === 'number'
  if (
    jsonrpc !== '2.0' ||
    !isId ||
    typeof method !== 'string' ||
    typeof params !== 'object' ||
    params === null
  ) {
    return null
  }
  if (method === 'tools/list' && 'cursor' in params) {
    return null
  }
  return { id, method, params: params as Request['params'] }
}

const VERSION = 'io.modelcontextprotocol/protocolVersion'

/** The protocol version of a complete first message. */
function versionOf({ method, params }: Request): string | null {
  const { protocolVersion, capabilities, clientInfo, _meta = {} } = params
  if (method !== 'initialize') {
    return String((_meta as Record<string, unknown>)[VERSION] ?? '')
  }
  const { name, version } = (clientInfo ?? {}) as Record<string, unknown>
  const isComplete =
    typeof name === 'string' && typeof version === 'string' && typeof capabilities === 'object'
  return isComplete && typeof protocolVersion === 'string' ? protocolVersion : ''
}
