import {
  OWN_CLIENTS,
  type OwnClients,
  type ProviderKind,
  type ProviderName,
  providerKind,
  type replaceProvider,
  SHARED_CLIENT,
} from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { credentialsOf } from '../domain/providers/provider-client.ts'
import type { OwnClient } from '../operations/providers/providers.ts'
import { parseBody } from './mount-endpoint.ts'

/** Parses the body by the kind of the provider. null: the operator's client. */
export function readOwnClient(
  name: ProviderName,
  body: z.infer<typeof replaceProvider.body>,
): OwnClient | null {
  if (body.mode === 'shared') {
    parseBody(SHARED_CLIENT, body)
    return null
  }
  const kind = providerKind(name)
  const client: OwnClients[ProviderKind] & { readonly display_name?: string } = parseBody(
    OWN_CLIENTS[kind],
    body,
  )
  const { redirect_uri: redirectUri = null, display_name: displayName = null } = client
  return { credentials: credentialsOf(kind, client), displayName, redirectUri }
}
