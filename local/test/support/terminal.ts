import { spawnSync } from 'node:child_process'
import type { TestContext } from 'node:test'
import { type Running, start } from './command.ts'
import type { Machine } from './machine.ts'

const PYTHON = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)'

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** script(1) of util-linux allocates a pseudo-terminal; elsewhere Python's pty module does. */
const hasScript = (): boolean => spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')

/** Runs the command in a pseudo-terminal, which merges stdout and stderr. */
export function inTerminal(
  t: TestContext,
  machine: Machine,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Running {
  const command = [process.execPath, machine.bin, ...args]
  const program = hasScript()
    ? ['script', '-qec', command.map(quoted).join(' '), '/dev/null']
    : ['python3', '-c', PYTHON, ...command]
  return start(t, program, {
    cwd: machine.project,
    env: { ...machine.env, TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
  })
}
