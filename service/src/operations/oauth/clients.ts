import { REGISTRATIONS_PER_MINUTE_PER_ADDRESS } from '@gatehouse-auth/contract'
import type { Account } from '../../domain/accounts/account.ts'
import type { GrantId } from '../../domain/ids.ts'
import {
  CLIENT_ID_MAX_CHARACTERS,
  type Client,
  isClientDocumentUrl,
  readClientId,
  readClientMetadata,
  signClientId,
} from '../../domain/oauth/client.ts'
import type { Grant } from '../../domain/oauth/grant.ts'
import { ClientDocumentError, OAuthError } from '../../domain/oauth/oauth-error.ts'
import type { Context } from '../context.ts'
import { type AddressLimit, limitByAddress } from '../limits/limit-requests.ts'

const REGISTRATION_LIMIT: AddressLimit = {
  scope: 'registrations',
  perMinute: REGISTRATIONS_PER_MINUTE_PER_ADDRESS,
  action: 'register clients',
}

/** Open registration (RFC 7591). A client has no access until a user approves it on the consent page, which shows its host. */
export async function registerClient(
  ctx: Pick<Context, 'stores' | 'keyring' | 'now' | 'random' | 'unlimited' | 'testProfile'>,
  input: { readonly metadata: unknown; readonly addressKey: string },
): Promise<{ readonly client: Client; readonly issuedAt: number }> {
  const read = readClientMetadata(input.metadata)
  if (!read.ok) {
    throw new OAuthError(read.error, read.problem)
  }
  const now = ctx.now()
  const id = signClientId(ctx.keyring, read.registration, {
    at: now,
    random: ctx.random,
  })
  if (id.length > CLIENT_ID_MAX_CHARACTERS) {
    throw new OAuthError(
      'invalid_client_metadata',
      'The redirect_uris are too long together: about 2,900 characters fit.',
    )
  }
  await ctx.stores.transaction((stores) =>
    limitByAddress(ctx, stores, REGISTRATION_LIMIT, input.addressKey, now),
  )
  return { client: { id, ...read.registration }, issuedAt: now }
}

type ClientContext = Pick<Context, 'keyring' | 'clientDocuments'>

/** A registered client, or one whose id is the URL of its metadata document. */
export async function findClient(
  ctx: ClientContext,
  clientId: string | undefined,
  addressKey: string,
): Promise<Client> {
  if (clientId === undefined) {
    throw unknownClient()
  }
  const registered = readClientId(ctx.keyring, clientId)
  if (registered !== null) {
    return registered
  }
  if (ctx.clientDocuments === null || !isClientDocumentUrl(clientId)) {
    throw unknownClient()
  }

  const document = await ctx.clientDocuments.read(clientId, addressKey)
  if (!document.ok) {
    throw new ClientDocumentError(document.problem)
  }
  return document.client
}

/**
 * For token requests. A code or refresh token is bound to its client, so the metadata document is not fetched again, and a
 * client whose site is unreachable can still refresh.
 */
export function requireClientId(ctx: ClientContext, clientId: string | undefined): string {
  if (clientId === undefined || !isClientId(ctx, clientId)) {
    throw unknownClient()
  }
  return clientId
}

function isClientId({ keyring, clientDocuments }: ClientContext, clientId: string): boolean {
  if (readClientId(keyring, clientId) !== null) {
    return true
  }
  return clientDocuments !== null && isClientDocumentUrl(clientId)
}

const unknownClient = (): OAuthError =>
  new OAuthError('invalid_client', 'We know no client with this client_id. Register it again.')

/** The active grants of this account, most recently used first. */
export const listConnectedAgents = (ctx: Context, account: Account): Promise<Grant[]> =>
  ctx.stores.oauthGrants.listByAccount(account.id, ctx.now())

/** The tokens of the grant stop working before this resolves. A grant of another account is not revoked. */
export async function revokeConnectedAgent(
  ctx: Context,
  account: Account,
  grantId: GrantId,
): Promise<void> {
  await ctx.stores.oauthGrants.revokeForAccount(account.id, grantId, ctx.now())
}
