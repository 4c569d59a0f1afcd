import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { NODE_COMPILE_CACHE } from './command.ts'

const HOST = path.join(import.meta.dirname, 'command-host.ts')

export interface Call {
  /** The file that Node would have been started with. */
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

let host: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a command to its end in a process that runs one command after the other: most of the time of a short command is the
 * start of Node and of our modules. Its standard input is empty.
 */
export function callCommand(call: Call): Promise<Result> {
  const result = last.then(() => send(call))
  last = result.catch(() => {})
  return result
}

async function send(call: Call): Promise<Result> {
  host ??= startHost()
  const done = new AbortController()
  const exited = once(host, 'exit', done).then(([code]) => {
    throw new Error(`the command ended its process with ${code}: ${call.args.join(' ')}`)
  })
  // Only a running command keeps the test's process alive.
  host.channel?.ref()
  host.send(call)
  try {
    const [result] = await Promise.race([once(host, 'message', done), exited])
    return result as Result
  } finally {
    done.abort()
    exited.catch(() => {})
    host.channel?.unref()
  }
}

function startHost(): ChildProcess {
  const child = fork(HOST, {
    // Not the options of the test runner.
    execArgv: [],
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.unref()
  return child
}
