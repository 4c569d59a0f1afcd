import { type Action, newestActions } from '../../api/audit.ts'
import { singleLine } from '../../redact.ts'
import { type Command, parseInteger } from '../command.ts'
import type { CommandIo } from '../command-io.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 10_000

export const audit: Command = {
  name: 'audit',
  synopsis: '[--limit <n>]',
  summary: 'list the newest management actions: who changed what',
  details: [
    'One line per action, oldest first: when, what, on what, and by which key, account or agent. With --json: one API object per line.',
    '',
    `--limit <n>        number of actions, default ${LIMIT_DEFAULT}`,
  ],
  options: { limit: { type: 'string' } },
  positionals: { min: 0, max: 0 },
  async run(io, _positionals, { limit }) {
    const count = parseInteger(limit, 'limit', LIMIT_MAX) ?? LIMIT_DEFAULT
    const actions = await newestActions(await io.project(), Math.max(count, 1))
    for (const action of actions) io.printResult(action, () => [line(io, action)])
    if (actions.length === 0) io.printNote('No actions in the last 90 days.')
    return undefined
  },
}

function line({ colors }: CommandIo, { at_ms, action, target, actor }: Action): string {
  const at = new Date(at_ms).toISOString().replace('T', ' ').slice(0, 19)
  return `${colors.dim(`${at}Z`)}  ${action.padEnd(24)}  ${singleLine([...(target === null ? [] : [target]), actor].join('  '))}`
}
