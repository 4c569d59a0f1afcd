import { REMOVALS_PAGE_DEFAULT, REMOVALS_PAGE_MAX } from '@gatehouse/contract'
import { findRemovals, type Removal } from '../../api/removals.ts'
import { commandLine } from '../../invocation.ts'
import { singleLine } from '../../redact.ts'
import { type Command, parseInteger } from '../command.ts'
import type { CommandIo } from '../command-io.ts'

export const removals: Command = {
  name: 'removals',
  synopsis: '[--limit <n>]',
  summary: 'list the users who asked that their data is removed',
  details: [
    'One line per user, by ascending id, with the day on which the service deletes them. Before, remove what your app',
    'stores about them, then: users delete <id> --confirm <email>. With --json: one API object per line.',
    '',
    `--limit <n>        number of users, default ${REMOVALS_PAGE_DEFAULT}`,
  ],
  options: { limit: { type: 'string' } },
  positionals: { min: 0, max: 0 },
  async run(io, _positionals, { limit }) {
    const count = parseInteger(limit, 'limit', REMOVALS_PAGE_MAX) ?? REMOVALS_PAGE_DEFAULT
    const found = await findRemovals(await io.project(), Math.max(count, 1))
    for (const removal of found) io.printResult(removal, () => [line(io, removal)])
    io.printNote(
      found.length === 0
        ? 'No removal requests.'
        : `Remove what your app stores about them, then: ${commandLine('users delete <id> --confirm <email>')}`,
    )
    return undefined
  },
}

function line({ colors }: CommandIo, { user_id, email, due_at }: Removal): string {
  return `#${user_id}  ${singleLine(email)}  ${colors.yellow(`deleted on ${due_at.slice(0, 10)}`)}`
}
