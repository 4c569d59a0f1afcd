import { type AnonymousRequest, get, items, json, members } from './request.ts'

/** The largest body of the API, less its envelope. */
const BYTES = 65_000
/** The largest URL and header that fit Node's 16 KiB of headers. */
const LONG = 14_000

const JWT = `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjEifQ.${'e30'.repeat(15_000)}.A`

/** `tenantId` has social login with 50 long callback URLs. */
export const restRequests = (tenantId: string): readonly AnonymousRequest[] => [
  json('/api/genesis', '/api/genesis', 201, ''),
  json('/api/genesis, 64 KB of unknown fields', '/api/genesis', 400, members(BYTES, 1)),
  json('/api/genesis, 64 KB of numbers', '/api/genesis', 400, items(BYTES, 1)),
  json('/api/genesis, one unknown field of 64 KB', '/api/genesis', 400, { ['x'.repeat(BYTES)]: 1 }),
  json('/api/resources/social-login, no key, 64 KB', '/api/resources/social-login', 401, items(BYTES, 1)),
  json('verify, a token of 45 KB', `/edge/auth/${tenantId}/verify`, 200, { access_token: JWT }),
  json('verify, 64 KB of fields', `/edge/auth/${tenantId}/verify`, 400, members(BYTES, 1)),
  json('refresh, a token of 64 KB', `/edge/auth/${tenantId}/refresh`, 401, {
    refresh_token: 'svc_rt_'.padEnd(BYTES, 'x'),
  }),
  json('logout, a token of 64 KB', `/edge/auth/${tenantId}/logout`, 200, {
    refresh_token: 'svc_rt_'.padEnd(BYTES, 'x'),
  }),
  get('a login start, an unregistered redirect_uri', login(tenantId, `https://x.example/${'a/'.repeat(1_000)}`), 400),
  get(
    'a login start, a redirect_uri of 14 KB',
    login(tenantId, `https://x.example/${'a/'.repeat(LONG / 2 - 50)}`),
    400,
  ),
  get('a login start, a return_to of 14 KB', `/edge/auth/${tenantId}/google?return_to=/${'../'.repeat(LONG / 3)}`, 400),
  get('a login start, 3,000 parameters', `/edge/auth/${tenantId}/google?${'a&'.repeat(3_000)}`, 400),
  get('an unknown route of 14 KB', `/api/${'genesis/'.repeat(LONG / 8)}`, 404),
  get('an unknown page of 14 KB', `/${'docs/'.repeat(LONG / 5)}`, 404, { Accept: 'text/html' }),
  get('the login callback, 14 KB of state', `/auth/google/callback?code=x&state=${'x'.repeat(LONG)}`, 403),
  get('14 KB of cookies', '/account', 200, { Cookie: 'a=b; '.repeat(LONG / 5), Accept: 'text/html' }),
  get('14 KB of Accept', '/', 200, { Accept: 'text/x;q=0.1,'.repeat(LONG / 13) }),
  get('/openapi.json', '/openapi.json', 200),
  get('/docs/api', '/docs/api', 200),
  get('/docs/errors', '/docs/errors', 200),
  get('/llms.txt', '/llms.txt', 200),
  get('the front page', '/', 200, { Accept: 'text/html' }),
]

function login(tenantId: string, redirectUri: string): string {
  return `/edge/auth/${tenantId}/google?redirect_uri=${redirectUri}`
}
