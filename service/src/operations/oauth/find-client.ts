import type { Client } from '../../domain/oauth/client.ts'
import { isClientDocumentUrl } from '../../domain/oauth/client-documents.ts'
import { readClientId } from '../../domain/oauth/client-id.ts'
import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import type { Context } from '../context.ts'

type ClientContext = Pick<Context, 'keyring' | 'clientDocuments'>

/** A registered client, or one whose id is the URL of its metadata document. */
export async function findClient(
  ctx: ClientContext,
  clientId: string | undefined,
  addressKey: string,
): Promise<Client> {
  if (clientId === undefined) throw unknownClient()
  const registered = readClientId(ctx.keyring, clientId)
  if (registered !== null) return registered
  if (ctx.clientDocuments === null || !isClientDocumentUrl(clientId)) throw unknownClient()
  const document = await ctx.clientDocuments.read(clientId, addressKey)
  if (document.ok) return document.client
  throw new OAuthError('invalid_client', document.problem)
}

/**
 * For token requests. A code or refresh token is bound to its client, so the metadata document is not fetched again, and a
 * client whose site is unreachable can still refresh.
 */
export function requireClientId(ctx: ClientContext, clientId: string | undefined): string {
  const known =
    clientId !== undefined &&
    (readClientId(ctx.keyring, clientId) !== null || (ctx.clientDocuments !== null && isClientDocumentUrl(clientId)))
  if (!known) throw unknownClient()
  return clientId
}

const unknownClient = (): OAuthError =>
  new OAuthError('invalid_client', 'We know no client with this client_id. Register it again.')
