import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

export const CLI = path.resolve(import.meta.dirname, '../../src/cli.ts')

/** Shared by all runs; absolute, because the commands run in other folders. */
export const NODE_COMPILE_CACHE = path.resolve(
  import.meta.dirname,
  '../../..',
  process.env.NODE_COMPILE_CACHE ?? 'node_modules/.cache/compile',
)

const OUTPUT_TIMEOUT_MS = 60_000

/** Must never occur in the output. */
const SECRETS = /svc_(?:man|app|rt|wt|es)_\w{8,}|mcp_(?:ac|at|rt)_\w{8,}/

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** The lines of stdout, parsed as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the output of the command
  readonly json: any[]
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams
  readonly ended: Promise<Ended>
  output(): string
  /** Waits until stdout or stderr contains this. Returns the output of both. */
  waitForOutput(what: string | RegExp): Promise<string>
}

export interface StartOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Starts a program, and kills it when the test ends. */
export function start(
  t: Pick<TestContext, 'after'>,
  [program = process.execPath, ...args]: readonly string[],
  { cwd, env }: StartOptions,
): Running {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE, ...env },
  })
  t.after(() => {
    child.kill('SIGKILL')
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.destroy()
    }
  })
  child.stdin.on('error', () => {})
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'close').then(([code]) => endedWith({ code, stdout, stderr }))
  const output = (): string => stdout + stderr
  return {
    child,
    ended,
    output,
    async waitForOutput(what) {
      const isPrinted = (): boolean =>
        typeof what === 'string' ? output().includes(what) : what.test(output())
      for (const deadline = performance.now() + OUTPUT_TIMEOUT_MS; !isPrinted(); await sleep(20)) {
        const hasExited = child.exitCode !== null || child.signalCode !== null
        assert.ok(
          !hasExited && performance.now() < deadline,
          `no ${what} in the output: ${output()}`,
        )
      }
      return output()
    },
  }
}

/** Checks the output of a command, and parses it. */
export function endedWith({ code, stdout, stderr }: Omit<Ended, 'json'>): Ended {
  assert.doesNotMatch(stdout + stderr, SECRETS, 'no key or token is ever printed')
  return { code, stdout, stderr, json: jsonLines(stdout) }
}

function jsonLines(text: string): unknown[] {
  try {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  } catch {
    return []
  }
}
