import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, Tenant } from '../actors/agent.ts'
import { Browser } from '../actors/browser.ts'
import { Clock } from '../clock.ts'
import { freshFolder } from '../postgres/engines.ts'
import { freePort } from '../transport/free-port.ts'
import { overHttp } from '../transport/http-transport.ts'
import { NODE_FLAGS } from './start-command.ts'

const START_WITHIN_MS = 60_000
const START = path.resolve(import.meta.dirname, '../../../src/start.js')

export type Settings = Readonly<Record<string, string>>

/** Whatever it is that ends: a test, or a program of its own. */
export type Ends = Pick<TestContext, 'after'>

export interface Launch {
  /** A command that gets ours to run: a shell that sets limits first, or a tracer. */
  readonly through?: readonly string[]
  /** Another installation than this one: its command, and the folder it is run in. */
  readonly command?: readonly string[]
  readonly cwd?: string
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** The service as an operator runs it: a process of its own, with the real clock. */
export interface ServiceProcess {
  readonly settings: Settings & { readonly PORT: string; readonly DATA_DIR: string }
  readonly child: ChildProcess
  readonly agent: Agent
  browser(headers?: Readonly<Record<string, string>>): Browser
  /** Everything it has printed so far. */
  output(): string
  readonly ended: Promise<Ended>
  /** Sends it a signal and waits for its end. */
  end(signal: NodeJS.Signals): Promise<Ended>
}

/** Starts the service and waits until it says where to go next. It is killed with its test, if it still runs. */
export async function startService(t: Ends, settings: Settings = {}, how: Launch = {}): Promise<ServiceProcess> {
  const complete: ServiceProcess['settings'] = {
    DATA_DIR: path.join(await freshFolder(), 'data'),
    PORT: String(await freePort()),
    ...settings,
  }
  const { child, output, ended } = await launch(t, complete, how)
  for (const deadline = performance.now() + START_WITHIN_MS; !output().includes('Next: open'); await sleep(10)) {
    if (isOver(child)) throw new Error(`it ended instead of starting: ${(await ended).stderr}`)
    if (performance.now() > deadline) throw new Error(`it does not start: ${output()}`)
  }
  const address = `http://localhost:${complete.PORT}`
  return {
    settings: complete,
    child,
    agent: new Agent(address, overHttp, new Clock()),
    browser: (headers = {}) =>
      new Browser({ origins: [address, complete.BASE_URL ?? address], headers, transport: overHttp }),
    output,
    ended,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** Runs it with settings that it should refuse, to its end. */
export async function failedStart(t: Ends, settings: Settings, node?: string, how: Launch = {}): Promise<Ended> {
  return (await launch(t, settings, how, node)).ended
}

async function launch(
  t: Ends,
  settings: Settings,
  how: Launch,
  node = process.execPath,
): Promise<{ child: ChildProcess; output(): string; ended: Promise<Ended> }> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  const { through = [], command = [node, ...NODE_FLAGS, START], cwd = await freshFolder() } = how
  const [program = node, ...args] = [...through, ...command]
  const child = spawn(program, args, {
    // Nothing of the test's own surroundings: what is not set here is unset.
    env: { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }), ...settings },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => {
    child.kill('SIGKILL')
    child.stdout.destroy()
    child.stderr.destroy()
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const closed = once(child, 'close')
  const ended = once(child, 'exit').then(async ([code, signal]): Promise<Ended> => {
    // What it printed last is on its way. A child of its own that outlives it would hold the pipes open for ever.
    await Promise.race([closed, sleep(1_000, undefined, { ref: false })])
    return { code, signal, stdout, stderr }
  })
  return { child, output: () => stdout, ended }
}

const isOver = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** The clock is real, so ten guests a minute would be soon used up: each comes from an address of its own. */
export async function newTenant(
  service: Pick<ServiceProcess, 'agent'>,
  callbackUrls: readonly string[] = ['https://app.example.com/callback'],
): Promise<Tenant> {
  const source = `10.${random(256)}.${random(256)}.${random(256)}`
  const made = await service.agent.call('POST', '/api/genesis', { headers: { 'X-Forwarded-For': source } })
  if (made.status !== 201) throw new Error(`no tenant: ${made.status} ${made.text}`)
  const tenant = new Tenant(service.agent, made.json, new Clock())
  await tenant.provision(callbackUrls)
  return tenant
}

/** Whoever says so is believed to be a proxy, so that tests can come from many addresses. */
export const BEHIND_A_PROXY: Settings = { TRUSTED_PROXIES: '127.0.0.1,::1' }

const random = (below: number): number => Math.floor(Math.random() * below)
