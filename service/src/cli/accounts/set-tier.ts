import { isOwnerTier, OWNER_TIERS } from '../../domain/accounts/account.ts'
import { setAccountTier } from '../../operations/accounts/accounts.ts'
import { type Command, onDatabase, UsageError } from '../command.ts'

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
