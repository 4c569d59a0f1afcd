import { findAccount } from '../operations/accounts/find-account.ts'
import { type Command, UsageError } from './command.ts'

const MAX = 1_000_000

/** Caps the projects of an account. Those it owns beyond the limit stay; it gets no new ones. */
export const setProjectLimit: Command = async (args, { stores, print }) => {
  const [email = '', projects = '', ...more] = args
  if (email === '' || more.length > 0) {
    throw new UsageError('Usage: gatehouse account set-project-limit <email> <number>')
  }
  const limit = /^\d+$/.test(projects) ? Number(projects) : Number.NaN
  if (!(limit <= MAX)) throw new UsageError(`A limit is a whole number from 0 to ${MAX}. Nothing was changed.`)
  const account = await findAccount({ stores }, email)
  await stores.accounts.setProjectLimit(account.id, limit)
  const owned = await stores.ownership.ownedBy(account.id)
  print(`${account.email} may own ${limit} projects now (it was ${account.projectLimit}), and owns ${owned.length}.`)
}
