import { SCOPES } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import { registerClient } from '../../operations/oauth/clients.ts'
import { requestAddressKey } from '../callers/client-address.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { readJsonBody } from '../request/body.ts'
import { allowAnyOrigin, noStoreHeaders } from './cors.ts'
import { oauthProblem } from './errors.ts'

const BODY_MAX_BYTES = 16 * 1_024

/** Clients that do not read the metadata use paths at the root. */
const PATHS = ['/oauth/register', '/register']

/** `POST /oauth/register` (RFC 7591): accepts any metadata, and returns the values that apply to every client. */
export function registerRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  for (const path of PATHS) {
    allowAnyOrigin(app, path, 'POST')
    app.post(path, async (c) => {
      try {
        const metadata = await readMetadata(c)
        const { client, issuedAt } = await registerClient(ctx, { metadata, addressKey: requestAddressKey(deps, c) })
        noStoreHeaders(c)
        return c.json(
          {
            client_id: client.id,
            client_id_issued_at: Math.floor(issuedAt / 1_000),
            ...(client.name === '' ? {} : { client_name: client.name }),
            redirect_uris: client.redirectUris,
            grant_types: ['authorization_code', 'refresh_token'],
            response_types: ['code'],
            token_endpoint_auth_method: 'none',
            scope: SCOPES.join(' '),
          },
          201,
        )
      } catch (error) {
        return oauthProblem(deps, c, error)
      }
    })
  }
}

/** A body that is not JSON is `invalid_client_metadata` too (RFC 7591, section 3.2.2). */
async function readMetadata(c: Call): Promise<unknown> {
  try {
    return await readJsonBody(c, BODY_MAX_BYTES)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'bodyTooLarge') throw error
    throw new OAuthError('invalid_client_metadata', error.message)
  }
}
