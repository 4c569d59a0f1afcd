import { clientAddressKey } from '../../domain/network/client-address.ts'
import type { FoundKey } from '../../domain/stores/stores.ts'
import type { Actor, Author } from '../../domain/tenants/audit.ts'
import type { Call, HttpDependencies } from '../dependencies.ts'
import type { SignedInOwner } from './sessions.ts'

/** For the audit: who makes this request. */
export const keyAuthor = (c: Call, { id }: FoundKey): Author => authorOf(c, `key:${id}`)

export const ownerAuthor = (c: Call, { session }: SignedInOwner): Author =>
  authorOf(c, `account:${session.account.id}`)

/** A person on `/me`. The audit of an owner doesn't say more: the target names the user. */
export const personAuthor = (c: Call): Author => authorOf(c, 'person')

const authorOf = (c: Call, actor: Actor): Author => ({ actor, requestId: c.get('requestId') })

/** The client address key that rate limits count by. */
export const requestAddressKey = (deps: HttpDependencies, c: Call): string =>
  clientAddressKey(
    c.env.incoming.socket.remoteAddress ?? '',
    c.req.header('x-forwarded-for'),
    deps.trustedProxies,
  )
