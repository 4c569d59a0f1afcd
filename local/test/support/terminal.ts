import { spawnSync } from 'node:child_process'
import type { TestContext } from 'node:test'
import type { Bench } from './bench.ts'
import { CLI, type Running, start } from './command.ts'

const PYTHON = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)'

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** util-linux has a program for it; elsewhere Python has a module. */
const hasScript = (): boolean => spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')

/** The command in a pseudo-terminal. What it prints to either stream comes as one, as a person would see it. */
export function inTerminal(
  t: TestContext,
  bench: Bench,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Running {
  const command = [process.execPath, CLI, ...args]
  const program = hasScript()
    ? ['script', '-qec', command.map(quoted).join(' '), '/dev/null']
    : ['python3', '-c', PYTHON, ...command]
  return start(t, program, {
    cwd: bench.project,
    env: { ...bench.env, TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
  })
}
