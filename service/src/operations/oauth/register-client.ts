import { REGISTRATIONS_PER_MINUTE_PER_ADDRESS } from '@gatehouse/contract'
import type { Client } from '../../domain/oauth/client.ts'
import { CLIENT_ID_MAX_CHARACTERS, signClientId } from '../../domain/oauth/client-id.ts'
import { readClientMetadata } from '../../domain/oauth/client-metadata.ts'
import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import type { Context } from '../context.ts'
import { type AddressLimit, limitByAddress } from '../limits/limit-by-address.ts'

const REGISTRATION_LIMIT: AddressLimit = {
  scope: 'registrations',
  perMinute: REGISTRATIONS_PER_MINUTE_PER_ADDRESS,
  action: 'register clients',
}

export interface RegisteredClient {
  readonly client: Client
  readonly issuedAt: number
}

/** Open registration (RFC 7591). A client has no access until a user approves it on the consent page, which shows its host. */
export async function registerClient(
  ctx: Pick<Context, 'stores' | 'keyring' | 'now' | 'random' | 'unlimited'>,
  input: { readonly metadata: unknown; readonly addressKey: string },
): Promise<RegisteredClient> {
  const read = readClientMetadata(input.metadata)
  if (!read.ok) throw new OAuthError(read.error, read.problem)
  const now = ctx.now()
  const id = signClientId(ctx.keyring, read.registration, { at: now, random: ctx.random })
  if (id.length > CLIENT_ID_MAX_CHARACTERS) {
    throw new OAuthError(
      'invalid_client_metadata',
      'The redirect_uris are too long together: about 2,900 characters fit.',
    )
  }
  await ctx.stores.transaction((stores) => limitByAddress(ctx, stores, REGISTRATION_LIMIT, input.addressKey, now))
  return { client: { id, ...read.registration }, issuedAt: now }
}
