import { type Command, onDatabase, UsageError } from '../command.ts'
import { LISTING, readListing } from '../listing.ts'
import { emitTenants } from './tenant-row.ts'

const TEXT_MAX = 200

export const findTenants: Command = {
  name: 'tenants find',
  synopsis: '<text> [--after <id>] [--limit <n>]',
  summary: 'find tenants by id, callback host, owner or e-mail address',
  details: [
    'Searched, in either case: a part of the tenant’s id, a part of its callback URLs, a part of the e-mail address of its',
    'owner, and the id of the owner’s account. The users of apps are not searched.',
    'Ended tenants are found by id and owner for 30 days.',
  ],
  options: LISTING,
  positionals: { min: 1, max: 1 },
  run: onDatabase(async (input, io) => {
    const [text = ''] = input.positionals.map((word) => word.trim())
    if (text === '' || text.length > TEXT_MAX) throw new UsageError(`A text has 1 to ${TEXT_MAX} characters.`)
    const { after, limit } = readListing(input, '')
    const found = await io.stores.moderation.search({ text, after, limit: limit + 1 })
    emitTenants(io, found, limit)
    if (found.length === 0) io.note('No tenant found.')
  }),
}
