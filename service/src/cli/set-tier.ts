import { isOwnerTier, OWNER_TIERS } from '../domain/accounts/account.ts'
import { setAccountTier } from '../operations/accounts/set-account-tier.ts'
import { type Command, UsageError } from './command.ts'

export const setTier: Command = async (args, { stores, print }) => {
  const [email = '', tier = '', ...more] = args
  if (email === '' || more.length > 0) throw new UsageError('Usage: gatehouse account set-tier <email> free|plus|pro')
  if (!isOwnerTier(tier)) throw new UsageError(`A tier is one of ${OWNER_TIERS.join(', ')}. Nothing was changed.`)
  const account = await setAccountTier({ stores }, email, tier)
  print(`${account.email} is on ${tier} now (it was ${account.tier}).`)
}
