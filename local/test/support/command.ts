import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

export const CLI = path.resolve(import.meta.dirname, '../../src/cli.ts')

/** What one run compiles the next one need not; in a place that does not depend on where a command runs. */
const NODE_COMPILE_CACHE = path.resolve(
  import.meta.dirname,
  '../../..',
  process.env.NODE_COMPILE_CACHE ?? 'node_modules/.cache/compile',
)

const WITHIN_MS = 60_000

/** Nothing that we print may look like one of these, whatever was asked and whatever went wrong. */
const SECRETS = /svc_(?:man|app|rt|wt|es)_\w{8,}|mcp_(?:ac|at|rt)_\w{8,}/

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** stdout, a line at a time, as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly json: any[]
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams
  readonly ended: Promise<Ended>
  output(): string
  /** Waits until it has printed this, on either stream. */
  said(what: string | RegExp): Promise<string>
}

export interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Starts a program; it is killed with its test, if it still runs. */
export function start(
  t: Pick<TestContext, 'after'>,
  [program = process.execPath, ...args]: readonly string[],
  { cwd, env }: Surroundings,
): Running {
  const child = spawn(program, args, { cwd, env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE, ...env } })
  t.after(() => {
    child.kill('SIGKILL')
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
  })
  child.stdin.on('error', () => {})
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'close').then(([code]): Ended => {
    assert.doesNotMatch(stdout + stderr, SECRETS, 'no key or token is ever printed')
    return { code, stdout, stderr, json: jsonLines(stdout) }
  })
  const output = (): string => stdout + stderr
  return {
    child,
    ended,
    output,
    async said(what) {
      const isSaid = (): boolean => (typeof what === 'string' ? output().includes(what) : what.test(output()))
      for (const deadline = performance.now() + WITHIN_MS; !isSaid(); await sleep(20)) {
        const isOver = child.exitCode !== null || child.signalCode !== null
        assert.ok(!isOver && performance.now() < deadline, `it never said ${what}: ${output()}`)
      }
      return output()
    },
  }
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
