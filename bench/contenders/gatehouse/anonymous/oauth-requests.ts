import { type AnonymousRequest, form, get, json, members } from './request.ts'

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** `clientId` is as long as a client id may be, with this redirect URI. */
export function oauthRequests(clientId: string, redirectUri: string): readonly AnonymousRequest[] {
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    state: 'x'.repeat(3_000),
  })
  return [
    json('/oauth/register, 16 KB of members', '/oauth/register', 400, members(16_000, 1)),
    json('/oauth/register, a name of 12 KB', '/oauth/register', 201, {
      redirect_uris: [redirectUri],
      client_name: '\u{200b} '.repeat(3_000),
    }),
    get('/oauth/authorize', `/oauth/authorize?${request}`, 303),
    get(
      '/oauth/authorize, a forged client id of 4 KB',
      `/oauth/authorize?client_id=mcp_cl_1_${'x'.repeat(4_000)}`,
      400,
    ),
    form(
      '/oauth/token, 9,000 parameters',
      '/oauth/token',
      400,
      Array.from({ length: 9_000 }, (_, at) => `${at.toString(36)}=x`).join('&'),
    ),
    form(
      '/oauth/token, a code of 64 KB',
      '/oauth/token',
      400,
      `grant_type=authorization_code&client_id=${clientId}&redirect_uri=x&code_verifier=x&code=mcp_ac_${'x'.repeat(60_000)}`,
    ),
    form('/oauth/revoke, a token of 64 KB', '/oauth/revoke', 200, `token=mcp_at_${'x'.repeat(64_000)}`),
    get('the OAuth consent page of an unknown request', `/oauth/consent/${'x'.repeat(43)}`, 410, {
      Accept: 'text/html',
    }),
    get('a claim page with an unknown link', `/c/${'x'.repeat(43)}`, 404, { Accept: 'text/html' }),
    get('the authorization server metadata', '/.well-known/oauth-authorization-server', 200),
  ]
}
