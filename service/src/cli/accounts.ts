import { isOwnerTier, OWNER_TIERS } from '../domain/accounts/account.ts'
import { findAccount, setAccountTier } from '../operations/accounts/accounts.ts'
import { type Command, onDatabase, UsageError } from './command.ts'

export const setTier: Command = {
  name: 'account set-tier',
  synopsis: '<email> free|plus|pro',
  summary: 'set the tier of an account',
  positionals: { min: 2, max: 2 },
  run: onDatabase(async ({ positionals: [email = '', tier = ''] }, { stores, emit }) => {
    if (!isOwnerTier(tier)) throw new UsageError(`A tier is one of ${OWNER_TIERS.join(', ')}. Nothing was changed.`)
    const account = await setAccountTier({ stores }, email, tier)
    emit(
      { account_id: account.id, email: account.email, tier, previous_tier: account.tier },
      `${account.email} is on ${tier} now (it was ${account.tier}).`,
    )
  }),
}

const MAX = 1_000_000

export const setProjectLimit: Command = {
  name: 'account set-project-limit',
  synopsis: '<email> <number>',
  summary: 'set how many projects an account may own',
  details: ['Projects beyond the limit stay; the account gets no new ones.'],
  positionals: { min: 2, max: 2 },
  run: onDatabase(async ({ positionals: [email = '', projects = ''] }, { stores, emit }) => {
    const limit = /^\d+$/.test(projects) ? Number(projects) : Number.NaN
    if (!(limit <= MAX)) throw new UsageError(`A limit is a whole number from 0 to ${MAX}. Nothing was changed.`)
    const account = await findAccount({ stores }, email)
    await stores.accounts.setProjectLimit(account.id, limit)
    const owned = (await stores.ownership.ownedBy(account.id)).length
    emit(
      { account_id: account.id, email: account.email, project_limit: limit, projects: owned },
      `${account.email} may own ${limit} projects now (it was ${account.projectLimit}), and owns ${owned}.`,
    )
  }),
}
