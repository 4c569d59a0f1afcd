import { spawn } from 'node:child_process'
import path from 'node:path'
import type { TestContext } from 'node:test'

/** A separate folder, so that our code cannot import their dependencies. */
const PROGRAMS = path.join(import.meta.dirname, 'programs/node_modules')

export interface ExitResult {
  readonly code: number | null
  readonly output: string
}

export interface RunningProgram {
  /** Standard output and error so far. */
  output(): string
  /** Waits until the output matches. */
  waitForOutput(pattern: RegExp, withinMs?: number): Promise<RegExpExecArray>
  readonly ended: Promise<ExitResult>
}

interface LaunchOptions {
  readonly env?: Record<string, string>
  readonly cwd?: string
  readonly timeoutMs?: number
  /** It has processes of its own, which outlive it: all of them are killed. */
  readonly hasWorkers?: boolean
}

export const scriptOf = (program: string): string => path.join(PROGRAMS, program)

/** Starts a third-party program on our Node. The test's cleanup kills it. */
export const start = (
  t: TestContext,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): RunningProgram => launch(t, process.execPath, [scriptOf(program), ...args], { env })

/** Starts any program, with only the given environment variables. After `timeoutMs` it is killed. */
export function launch(
  t: Pick<TestContext, 'after'>,
  program: string,
  args: readonly string[],
  { env = {}, cwd, timeoutMs, hasWorkers = false }: LaunchOptions = {},
): RunningProgram {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: hasWorkers,
    ...(cwd === undefined ? {} : { cwd }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs, killSignal: 'SIGKILL' }),
  })
  let output = ''
  const append = (data: Buffer): void => {
    output += data.toString()
  }
  child.stdout.on('data', append)
  child.stderr.on('data', append)
  const ended = new Promise<ExitResult>((resolve, reject) => {
    child.once('close', (code) => resolve({ code, output }))
    child.once('error', reject)
  })
  t.after(() => {
    if (hasWorkers && child.pid !== undefined && child.exitCode === null) {
      process.kill(-child.pid, 'SIGKILL')
    } else {
      child.kill('SIGKILL')
    }
  })
  return {
    output: () => output,
    ended,
    async waitForOutput(pattern, withinMs = 30_000) {
      for (const deadline = Date.now() + withinMs; ; ) {
        const match = pattern.exec(output)
        if (match !== null) {
          return match
        }
        if (Date.now() > deadline || child.exitCode !== null) {
          throw new Error(`${program} never printed ${pattern}: ${output}`)
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

export const CONFORMANCE = '@modelcontextprotocol/conformance/dist/index.js'
export const INSPECTOR = '@modelcontextprotocol/inspector/clients/launcher/build/index.js'
export const MCP_REMOTE = 'mcp-remote/dist/proxy.js'
export const SKILLS = 'skills/bin/cli.mjs'
