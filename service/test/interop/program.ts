import { spawn } from 'node:child_process'
import path from 'node:path'
import type { TestContext } from 'node:test'

/** In a folder of their own, so that nothing here takes one of their dependencies for ours. */
const PROGRAMS = path.join(import.meta.dirname, 'programs/node_modules')

export interface Ran {
  readonly code: number | null
  readonly output: string
}

export interface Running {
  /** Everything it has said so far. */
  output(): string
  /** The first thing it says that looks like this. */
  said(pattern: RegExp, withinMs?: number): Promise<RegExpExecArray>
  readonly ended: Promise<Ran>
}

export const scriptOf = (program: string): string => path.join(PROGRAMS, program)

/** A program of somebody else, on our Node. It is ended with its test at the latest. */
export const start = (
  t: TestContext,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Running => launch(t, process.execPath, [scriptOf(program), ...args], { env })

/** Any program. It hears nothing of the surroundings of the tests but what it is told. */
export function launch(
  t: Pick<TestContext, 'after'>,
  program: string,
  args: readonly string[],
  { env = {}, cwd }: { readonly env?: Record<string, string>; readonly cwd?: string } = {},
): Running {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })
  let output = ''
  const heard = (data: Buffer): void => {
    output += data.toString()
  }
  child.stdout.on('data', heard)
  child.stderr.on('data', heard)
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once('close', (code) => resolve({ code, output }))
    child.once('error', reject)
  })
  t.after(() => void child.kill('SIGKILL'))
  return {
    output: () => output,
    ended,
    async said(pattern, withinMs = 30_000) {
      for (const deadline = Date.now() + withinMs; ; ) {
        const match = pattern.exec(output)
        if (match !== null) return match
        if (Date.now() > deadline || child.exitCode !== null)
          throw new Error(`${program} never said ${pattern}: ${output}`)
        await new Promise((later) => setTimeout(later, 20))
      }
    },
  }
}

export const CONFORMANCE = '@modelcontextprotocol/conformance/dist/index.js'
export const INSPECTOR = '@modelcontextprotocol/inspector/clients/launcher/build/index.js'
export const MCP_REMOTE = 'mcp-remote/dist/proxy.js'
