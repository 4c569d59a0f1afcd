import * as endpoints from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { credentialsOf } from '../domain/providers/provider-client.ts'
import type { OwnClient } from '../operations/providers/providers.ts'
import { parseBody } from './mount-endpoint.ts'

/** Parses the body by the kind of the provider. null: the operator's client. */
export function readOwnClient(
  name: endpoints.ProviderName,
  body: z.infer<typeof endpoints.replaceProvider.body>,
): OwnClient | null {
  if (body.mode === 'shared') {
    parseBody(endpoints.SHARED_CLIENT, body)
    return null
  }
  const kind = endpoints.providerKind(name)
  const client: endpoints.OwnClients[endpoints.ProviderKind] & { readonly display_name?: string } =
    parseBody(endpoints.OWN_CLIENTS[kind], body)
  const { redirect_uri: redirectUri = null, display_name: displayName = null } = client
  return { credentials: credentialsOf(kind, client), displayName, redirectUri }
}
