import { parseArgs } from 'node:util'
import { type Command, UsageProblem, understood } from './command.ts'

const SKIP_DEFAULT = 1_000_000
/** Ids must stay whole numbers in JavaScript, after many restores. */
const SKIP_MAX = 1_000_000_000

/** Once, after a backup was put back and before the service starts on it. */
export const restored: Command = async (args, { restore, say }) => {
  const { values } = understood(() =>
    parseArgs({ args: [...args], options: { 'skip-ids': { type: 'string' }, 'sign-out': { type: 'boolean' } } }),
  )
  const skipIds = Number(values['skip-ids'] ?? SKIP_DEFAULT)
  if (!Number.isInteger(skipIds) || skipIds < 1 || skipIds > SKIP_MAX) {
    throw new UsageProblem(`--skip-ids takes a whole number from 1 to ${SKIP_MAX}. Nothing was changed.`)
  }
  const signOut = values['sign-out'] ?? false
  const { people, owners, agents } = await restore({ skipIds, signOut })
  say(`The next ${skipIds} ids of every table are passed over: what was given since the backup is not given again.`)
  say(
    signOut
      ? `Everybody signs in again: ${people} sessions of people, ${owners} of owners and ${agents} agents were ended.`
      : 'Sessions were left as the backup has them. With --sign-out everybody signs in again.',
  )
}
