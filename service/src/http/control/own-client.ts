import { OWN_CLIENTS, type ProviderName, providerKind, type replaceProvider, SHARED_CLIENT } from '@gatehouse/contract'
import type { z } from 'zod'
import type { ProviderCredentials } from '../../domain/providers/provider-client.ts'
import type { OwnClient } from '../../operations/providers/providers.ts'
import { parseBody } from '../mount-endpoint.ts'

/** Parses the body by the kind of the provider. null: the operator's client. */
export function readOwnClient(name: ProviderName, body: z.infer<typeof replaceProvider.body>): OwnClient | null {
  if (body.mode === 'shared') {
    parseBody(SHARED_CLIENT, body)
    return null
  }
  const kind = providerKind(name)
  const parsed: z.infer<typeof replaceProvider.body> = parseBody(OWN_CLIENTS[kind], body)
  const { mode: _own, redirect_uri = null, display_name = null, ...fields } = parsed
  const credentials = { kind, ...inCamelCase(fields) } as ProviderCredentials
  return { credentials, displayName: display_name, redirectUri: redirect_uri }
}

/** `client_id` becomes `clientId`: the type of the credentials says the same. */
const inCamelCase = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )
