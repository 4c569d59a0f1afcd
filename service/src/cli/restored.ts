import { parseArgs } from 'node:util'
import { type Command, orUsageError, UsageError } from './command.ts'

const SKIP_DEFAULT = 1_000_000
/** Keeps ids below Number.MAX_SAFE_INTEGER, even after many restores. */
const SKIP_MAX = 1_000_000_000

/** Run once after restoring a backup, before the service starts. */
export const restored: Command = async (args, { restore, print }) => {
  const { values } = orUsageError(() =>
    parseArgs({ args: [...args], options: { 'skip-ids': { type: 'string' }, 'sign-out': { type: 'boolean' } } }),
  )
  const skipIds = Number(values['skip-ids'] ?? SKIP_DEFAULT)
  if (!Number.isInteger(skipIds) || skipIds < 1 || skipIds > SKIP_MAX) {
    throw new UsageError(`--skip-ids takes a whole number from 1 to ${SKIP_MAX}. Nothing was changed.`)
  }
  const signOut = values['sign-out'] ?? false
  const { users, owners, agents } = await restore({ skipIds, signOut })
  print(`Skipped ${skipIds} ids in every table, so that ids assigned after the backup are not reused.`)
  print(
    signOut
      ? `Ended all sessions: ${users} of users and ${owners} of owners. Disconnected ${agents} agents.`
      : 'Sessions are as in the backup. To end all of them, run this command with --sign-out.',
  )
}
