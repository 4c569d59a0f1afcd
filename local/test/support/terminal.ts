import type { TestContext } from 'node:test'
import { inPseudoTerminal } from '../../../service/test/support/process/pseudo-terminal.ts'
import { type Running, start } from './command.ts'
import type { Machine } from './machine.ts'

/** Runs the command in a pseudo-terminal, which merges stdout and stderr. */
export function inTerminal(
  t: TestContext,
  machine: Machine,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Running {
  return start(t, inPseudoTerminal([process.execPath, machine.bin, ...args]), {
    cwd: machine.project,
    env: { ...machine.env, TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
  })
}
