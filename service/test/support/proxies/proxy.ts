import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { TestContext } from 'node:test'
import {
  canUnpackDebian,
  commandOf,
  onPath,
  type Program,
  unpackedDebian,
} from '../actors/debian-program.ts'
import { RawSocket } from '../faults/raw-socket.ts'
import { freshFolder } from '../postgres/engines.ts'
import { waitUntil } from '../process/wait-until.ts'
import { freePort } from '../transport/free-port.ts'

const DEPLOY = path.resolve(import.meta.dirname, '../../../../deploy')

/** A real proxy in front of instances, run with the configuration file that we publish. */
interface Proxy {
  /** Where it accepts TLS. */
  readonly port: number
  /** Resolves when the proxy would send requests to the instance on this port. */
  inService(instancePort: number): Promise<void>
  /** What it has logged about requests. */
  accessLog(): string
  /** Why it responded with an error of its own. */
  errorLog(): string
}

export type StartProxy = (t: TestContext, instancePorts: readonly number[]) => Promise<Proxy>

/** A program on the PATH, or of the Debian package of the same name. A string says why there is none. */
export async function findProxy(name: string, release?: string): Promise<Program | string> {
  const installed = release === undefined ? await onPath([name]) : null
  if (installed !== null) {
    return { path: installed, libraries: null }
  }
  if (!(await canUnpackDebian())) {
    return `${name} is not installed, and there is no apt-get to unpack it`
  }
  return unpackedDebian(name, `usr/sbin/${name}`, release).catch(
    (error: unknown) =>
      `${name} is not installed, and its Debian package is out of reach: ${String(error)}`,
  )
}

/** A published file with some texts replaced. Every text must occur, so that the test runs the file as it is published. */
export function published(file: string, replacements: Readonly<Record<string, string>>): string {
  let text = readFileSync(path.join(DEPLOY, file), 'utf8')
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) {
      throw new Error(`deploy/${file} does not contain ${from}`)
    }
    text = text.replaceAll(from, to)
  }
  return text
}

interface ProxyPlace {
  readonly port: number
  readonly folder: string
}

export const newPlace = async (): Promise<ProxyPlace> => ({
  port: await freePort(),
  folder: await freshFolder(),
})

/** Runs the program until the test ends, and waits until it listens. Returns its standard output so far. */
export async function runProxy(
  t: TestContext,
  program: Program,
  port: number,
  args: readonly string[],
): Promise<() => string> {
  const { path: file } = program
  const {
    command: [first = file, ...rest],
    env,
  } = commandOf(program)
  const child = spawn(first, [...rest, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  // Both programs end their worker processes on SIGTERM.
  t.after(() => child.kill('SIGTERM'))
  await waitUntil(`${file} listens`, async () => {
    if (child.exitCode !== null) {
      throw new Error(`${file} exited: ${stderr}`)
    }
    const socket = await RawSocket.open(port).catch(() => null)
    socket?.destroy()
    return socket !== null
  })
  return () => stdout
}
