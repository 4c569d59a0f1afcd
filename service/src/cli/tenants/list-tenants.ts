import type { Stores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { findAccount } from '../../operations/accounts/accounts.ts'
import { type Command, onDatabase, textOption } from '../command.ts'
import { LISTING, readListing } from '../listing.ts'
import { emitTenants } from './tenant-row.ts'

export const listTenants: Command = {
  name: 'tenants list',
  synopsis: '[--account <email>] [--after <id>] [--limit <n>]',
  summary: 'list tenants (projects) with status and tier',
  options: { account: { type: 'string', help: 'only those that the account with this address owns' }, ...LISTING },
  positionals: { min: 0, max: 0 },
  run: onDatabase(async (input, io) => {
    const { after, limit } = readListing(input, '')
    const email = textOption(input, 'account')
    // One more than requested, to know whether there is another page.
    const found = await (email === undefined
      ? io.stores.ownership.page(after, limit + 1)
      : ownedBy(io.stores, email, after, limit + 1))
    emitTenants(io, found, limit)
  }),
}

/** In the order and with the paging of the whole list. */
async function ownedBy(stores: Stores, email: string, after: string, limit: number): Promise<Tenant[]> {
  const { id } = await findAccount({ stores }, email)
  const owned = (await stores.ownership.ownedBy(id)).sort((a, b) => (a.id < b.id ? -1 : 1))
  return owned.filter((tenant) => tenant.id > after).slice(0, limit)
}
