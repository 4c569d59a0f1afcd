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
import { ENTRY_POINTS } from './entry-points.ts'
import { NODE_FLAGS } from './start-command.ts'

const START_WITHIN_MS = 60_000

export type Settings = Readonly<Record<string, string>>

/** Registers cleanup: a test, or a script that runs its own cleanup. */
export type TestScope = Pick<TestContext, 'after'>

export interface Launch {
  /** A command that runs ours as its arguments: a shell that sets limits, or a tracer. */
  readonly wrapper?: readonly string[]
  /** The file that is started. */
  readonly start?: string
  /** The command and working directory of another installation. */
  readonly command?: readonly string[]
  readonly cwd?: string
}

export interface ExitResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** The service in a separate process with the real clock, as an operator runs it. */
export interface ServiceProcess {
  readonly settings: Settings & { readonly PORT: string; readonly DATA_DIR: string }
  readonly child: ChildProcess
  readonly agent: Agent
  browser(headers?: Readonly<Record<string, string>>): Browser
  /** Standard output so far. */
  output(): string
  readonly ended: Promise<ExitResult>
  /** Sends a signal and waits for the process to exit. */
  end(signal: NodeJS.Signals): Promise<ExitResult>
}

/** Starts the service and waits until it prints its start page. The test's cleanup kills the process. */
export async function startService(
  t: TestScope,
  settings: Settings = {},
  how: Launch = {},
): Promise<ServiceProcess> {
  const complete: ServiceProcess['settings'] = {
    DATA_DIR: path.join(await freshFolder(), 'data'),
    PORT: String(await freePort()),
    ...settings,
  }
  const { child, output, ended } = await launch(t, complete, how)
  for (
    const deadline = performance.now() + START_WITHIN_MS;
    !output().includes('Next: open');
    await sleep(10)
  ) {
    if (hasExited(child)) {
      throw new Error(`the service exited while starting: ${(await ended).stderr}`)
    }
    if (performance.now() > deadline) {
      throw new Error(`the service did not start: ${output()}`)
    }
  }
  const address = `http://localhost:${complete.PORT}`
  return {
    settings: complete,
    child,
    agent: new Agent(address, overHttp, new Clock()),
    browser: (headers = {}) =>
      new Browser({
        origins: [address, complete.BASE_URL ?? address],
        headers,
        transport: overHttp,
      }),
    output,
    ended,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** Starts the service with settings that it should reject, and waits for it to exit. */
export async function failedStart(
  t: TestScope,
  settings: Settings,
  node?: string,
  how: Launch = {},
): Promise<ExitResult> {
  return (await launch(t, settings, how, node)).ended
}

async function launch(
  t: TestScope,
  settings: Settings,
  how: Launch,
  node = process.execPath,
): Promise<{ child: ChildProcess; output(): string; ended: Promise<ExitResult> }> {
  const { PATH = '' } = process.env
  const { start = ENTRY_POINTS.start, wrapper = [], cwd = await freshFolder() } = how
  const { command = [node, ...NODE_FLAGS, start] } = how
  const [program = node, ...args] = [...wrapper, ...command]
  const child = spawn(program, args, {
    // Only these variables: the service must not inherit settings from the test's environment.
    env: { PATH, ...settings },
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
  const ended = once(child, 'exit').then(async ([code, signal]): Promise<ExitResult> => {
    // Wait for the last output, but only briefly: a grandchild that outlives the process keeps its pipes open.
    await Promise.race([closed, sleep(1_000, undefined, { ref: false })])
    return { code, signal, stdout, stderr }
  })
  return { child, output: () => stdout, ended }
}

const hasExited = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null

/** Creates each tenant from a random address, because one address may create only ten a minute. */
export async function newTenant(
  service: Pick<ServiceProcess, 'agent'>,
  callbackUrls: readonly string[] = ['https://app.example.com/callback'],
): Promise<Tenant> {
  const address = `10.${random(256)}.${random(256)}.${random(256)}`
  const created = await service.agent.call('POST', '/api/genesis', {
    headers: { 'X-Forwarded-For': address },
  })
  if (created.status !== 201) {
    throw new Error(`no tenant: ${created.status} ${created.text}`)
  }
  const tenant = new Tenant(service.agent, created.json, new Clock())
  await tenant.provision(callbackUrls)
  return tenant
}

/** Trusts X-Forwarded-For from this machine, so that tests can send requests from many addresses. */
export const TRUST_LOCAL_PROXY: Settings = { TRUSTED_PROXIES: '127.0.0.1,::1' }

const random = (below: number): number => Math.floor(Math.random() * below)
