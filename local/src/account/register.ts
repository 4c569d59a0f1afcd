import { z } from 'zod'
import { type ApiResponse, request } from '../api/request.ts'
import { notUnderstood } from '../api/wrong-service.ts'
import { jsonIn } from '../json.ts'
import type { AuthorizationServer } from './authorization-server.ts'
import { REDIRECT_URI } from './loopback.ts'
import { oauthError } from './token-request.ts'

const Registered = z.object({ client_id: z.string().min(1) })

/** Tells the service who will ask (RFC 7591). It opens nothing: a person still has to allow it. */
export async function registerClient(service: string, { registration_endpoint }: AuthorizationServer): Promise<string> {
  const response = await request(service, 'POST', registration_endpoint, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Gatehouse on this computer',
      redirect_uris: [REDIRECT_URI],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    }),
  })
  if (response.status !== 201 && response.status !== 200) throw oauthError(service, response)
  const registered = Registered.safeParse(jsonIn(response.text))
  if (!registered.success) throw notUnderstood(service)
  return registered.data.client_id
}

/** Would a person sent there be asked? A client that the service has forgotten is refused, in JSON to whoever wants JSON. */
export const isKnownClient = ({ status }: ApiResponse): boolean => status >= 300 && status < 400
