import { z } from 'zod'
import { unexpectedResponse } from '../api/api-version.ts'
import { type ApiResponse, request } from '../api/request.ts'
import { parseJson } from '../json.ts'
import type { AuthorizationServer } from './authorization-server.ts'
import { REDIRECT_URI } from './loopback.ts'
import { oauthError } from './token-request.ts'

const Registered = z.object({ client_id: z.string().min(1) })

/** Dynamic client registration (RFC 7591). It grants no access: the user still has to consent. */
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
  const registered = Registered.safeParse(parseJson(response.text))
  if (!registered.success) throw unexpectedResponse(service)
  return registered.data.client_id
}

/** The authorization endpoint redirects a known client, and responds with an error for one it has deleted. */
export const isKnownClient = ({ status }: ApiResponse): boolean => status >= 300 && status < 400
