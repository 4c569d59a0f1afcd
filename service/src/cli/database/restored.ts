import { type Command, onDatabase, textOption, UsageError } from '../command.ts'

const SKIP_DEFAULT = 1_000_000
/** Keeps ids below Number.MAX_SAFE_INTEGER, even after many restores. */
const SKIP_MAX = 1_000_000_000

/** Run once after restoring a backup, before the service starts. */
export const restored: Command = {
  name: 'restored',
  synopsis: '[--sign-out] [--skip-ids <n>]',
  summary: 'run once after restoring a backup, before the service starts',
  options: {
    'sign-out': { type: 'boolean', help: 'end all sessions of users and owners, and disconnect all agents' },
    'skip-ids': { type: 'string', help: 'how many ids to skip in every table, a million by default' },
  },
  positionals: { min: 0, max: 0 },
  run: onDatabase(async (input, { restored: restore, emit }) => {
    const skipIds = Number(textOption(input, 'skip-ids') ?? SKIP_DEFAULT)
    if (!Number.isInteger(skipIds) || skipIds < 1 || skipIds > SKIP_MAX) {
      throw new UsageError(`--skip-ids takes a whole number from 1 to ${SKIP_MAX}. Nothing was changed.`)
    }
    const signOut = input.values['sign-out'] === true
    const { users, owners, agents } = await restore({ skipIds, signOut })
    const sessions = signOut
      ? `Ended all sessions: ${users} of users and ${owners} of owners. Disconnected ${agents} agents.`
      : 'Sessions are as in the backup. To end all of them, run this command with --sign-out.'
    emit(
      { skipped_ids: skipIds, signed_out: signOut, users, owners, agents },
      `Skipped ${skipIds} ids in every table, so that ids assigned after the backup are not reused.\n${sessions}`,
    )
  }),
}
