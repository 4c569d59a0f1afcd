import { parseArgs } from 'node:util'
import { type Command, orUsageError, UsageError } from './command.ts'

const USAGE = 'Usage: gatehouse feedback delete <number>… | --tenant <id>. Nothing was deleted.'

/** Deletes entries by number, or all entries of a tenant. */
export const deleteFeedback: Command = async (args, { stores, print }) => {
  const { values, positionals } = orUsageError(() =>
    parseArgs({ args: [...args], options: { tenant: { type: 'string' } }, allowPositionals: true }),
  )
  const { tenant } = values
  if ((tenant === undefined) === (positionals.length === 0)) throw new UsageError(USAGE)
  if (!positionals.every((id) => /^\d{1,15}$/.test(id))) throw new UsageError(USAGE)
  const deleted =
    tenant === undefined
      ? await stores.feedback.remove(positionals.map(Number))
      : await stores.feedback.removeByTenant(tenant)
  print(`Deleted ${deleted} ${deleted === 1 ? 'entry' : 'entries'}.`)
}
