import { Agent, request as send } from 'node:http'
import { WrongResponse } from '../../load/rounds.ts'

/** A request that needs no credential, and its expected status. A wrong status would measure something else. */
interface AnonymousRequest {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly status: number
}

const json = (
  name: string,
  path: string,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): AnonymousRequest => ({
  name,
  method: 'POST',
  path,
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const form = (name: string, path: string, status: number, body: string): AnonymousRequest => ({
  name,
  method: 'POST',
  path,
  status,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body,
})

const get = (name: string, path: string, status: number, headers = {}): AnonymousRequest => ({
  name,
  method: 'GET',
  path,
  status,
  headers,
})

/** `{ "0": value, "1": value, … }`: the most members that fit the bytes. */
function members(bytes: number, value: unknown): Record<string, unknown> {
  const each = JSON.stringify(value).length + 8
  return Object.fromEntries(
    Array.from({ length: Math.floor(bytes / each) }, (_, at) => [at.toString(36), value]),
  )
}

/** The most items that fit the bytes. */
const items = (bytes: number, value: unknown): unknown[] =>
  Array.from({ length: Math.floor(bytes / (JSON.stringify(value).length + 1)) }, () => value)

const REDIRECT_URI = `https://client.example.com/${'x'.repeat(2_000)}`

/** Sends each request from another client address, so that no limit per address answers instead. */
export class AnonymousClient {
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true })
  #address = 0

  constructor(port: number) {
    this.#port = port
  }

  async send({
    name,
    method,
    path: target,
    headers = {},
    body,
    status,
  }: AnonymousRequest): Promise<string> {
    const found = await this.#exchange(method, target, headers, body)
    if (found.status === status) {
      return found.text
    }
    throw new WrongResponse(
      `${name}: expected ${status}, got ${found.status} with ${found.text.slice(0, 500)}`,
    )
  }

  #exchange(
    method: string,
    target: string,
    headers: Readonly<Record<string, string>>,
    body = '',
  ): Promise<{ status: number; text: string }> {
    const number = ++this.#address
    return new Promise((resolve, reject) => {
      const request = send({
        port: this.#port,
        method,
        path: target.replace('{number}', String(number)),
        agent: this.#agent,
        headers: {
          'User-Agent': 'bench',
          'X-Forwarded-For': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
          ...headers,
          ...(method === 'POST' ? { 'Content-Length': Buffer.byteLength(body) } : {}),
        },
      })
      request.on('error', reject)
      request.on('response', async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) {
          chunks.push(chunk as Buffer)
        }
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() })
      })
      request.end(body)
    })
  }

  /** A guest with as many long callback URLs as one request can register. Its login link is public. */
  async tenant(): Promise<string> {
    const created = JSON.parse(await this.send(json('a guest', '/api/genesis', 201, '')))
    const callbackUrls = Array.from(
      { length: 50 },
      (_, at) => `https://app${at}.example/${'a/'.repeat(600)}`,
    )
    const provision = json('its callback URLs', '/api/resources/social-login', 200, {
      callback_urls: callbackUrls,
    })
    const headers = { ...provision.headers, Authorization: `Bearer ${created.coh_management_key}` }
    await this.send({ ...provision, headers })
    return created.tenant_id
  }

  async oauthRequests(): Promise<readonly AnonymousRequest[]> {
    const metadata = { redirect_uris: [REDIRECT_URI], client_name: '\u1234'.repeat(80) }
    const registered = JSON.parse(
      await this.send(json('a client', '/oauth/register', 201, metadata)),
    )
    return oauthRequests(registered.client_id, REDIRECT_URI)
  }

  close(): void {
    this.#agent.destroy()
  }
}

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** `clientId` is as long as a client id may be, with this redirect URI. */
function oauthRequests(clientId: string, redirectUri: string): readonly AnonymousRequest[] {
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
    form(
      '/oauth/revoke, a token of 64 KB',
      '/oauth/revoke',
      200,
      `token=mcp_at_${'x'.repeat(64_000)}`,
    ),
    get('the OAuth consent page of an unknown request', `/oauth/consent/${'x'.repeat(43)}`, 410, {
      Accept: 'text/html',
    }),
    get('a claim page with an unknown link', `/c/${'x'.repeat(43)}`, 404, { Accept: 'text/html' }),
    get('the authorization server metadata', '/.well-known/oauth-authorization-server', 200),
  ]
}

/** The largest body of the API, less its envelope. */
const REST_BYTES = 65_000
/** The largest URL and header that fit Node's 16 KiB of headers. */
const LONG = 14_000

const JWT = `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjEifQ.${'e30'.repeat(15_000)}.A`

/** `tenantId` has social login with 50 long callback URLs. */
export const restRequests = (tenantId: string): readonly AnonymousRequest[] => [
  json('/api/genesis', '/api/genesis', 201, ''),
  json('/api/genesis, 64 KB of unknown fields', '/api/genesis', 400, members(REST_BYTES, 1)),
  json('/api/genesis, 64 KB of numbers', '/api/genesis', 400, items(REST_BYTES, 1)),
  json('/api/genesis, one unknown field of 64 KB', '/api/genesis', 400, {
    ['x'.repeat(REST_BYTES)]: 1,
  }),
  json(
    '/api/resources/social-login, no key, 64 KB',
    '/api/resources/social-login',
    401,
    items(REST_BYTES, 1),
  ),
  json('verify, a token of 45 KB', `/edge/auth/${tenantId}/verify`, 200, { access_token: JWT }),
  json('verify, 64 KB of fields', `/edge/auth/${tenantId}/verify`, 400, members(REST_BYTES, 1)),
  json('refresh, a token of 64 KB', `/edge/auth/${tenantId}/refresh`, 401, {
    refresh_token: 'svc_rt_'.padEnd(REST_BYTES, 'x'),
  }),
  json('logout, a token of 64 KB', `/edge/auth/${tenantId}/logout`, 200, {
    refresh_token: 'svc_rt_'.padEnd(REST_BYTES, 'x'),
  }),
  get(
    'a login start, an unregistered redirect_uri',
    login(tenantId, `https://x.example/${'a/'.repeat(1_000)}`),
    400,
  ),
  get(
    'a login start, a redirect_uri of 14 KB',
    login(tenantId, `https://x.example/${'a/'.repeat(LONG / 2 - 50)}`),
    400,
  ),
  get(
    'a login start, a return_to of 14 KB',
    `/edge/auth/${tenantId}/google?return_to=/${'../'.repeat(LONG / 3)}`,
    400,
  ),
  get(
    'a login start, 3,000 parameters',
    `/edge/auth/${tenantId}/google?${'a&'.repeat(3_000)}`,
    400,
  ),
  get('an unknown route of 14 KB', `/api/${'genesis/'.repeat(LONG / 8)}`, 404),
  get('an unknown page of 14 KB', `/${'docs/'.repeat(LONG / 5)}`, 404, { Accept: 'text/html' }),
  get(
    'the login callback, 14 KB of state',
    `/auth/google/callback?code=x&state=${'x'.repeat(LONG)}`,
    403,
  ),
  get('14 KB of cookies', '/account', 200, {
    Cookie: 'a=b; '.repeat(LONG / 5),
    Accept: 'text/html',
  }),
  get('14 KB of Accept', '/', 200, { Accept: 'text/x;q=0.1,'.repeat(LONG / 13) }),
  get('/openapi.json', '/openapi.json', 200),
  get('/docs/api', '/docs/api', 200),
  get('/docs/errors', '/docs/errors', 200),
  get(
    '/docs/search, 8 words that no one asked for yet',
    '/docs/search?q=the+ent+ing+ion+oke+ser+est+{number}',
    200,
  ),
  get('/llms.txt', '/llms.txt', 200),
  get('the front page', '/', 200, { Accept: 'text/html' }),
]

function login(tenantId: string, redirectUri: string): string {
  return `/edge/auth/${tenantId}/google?redirect_uri=${redirectUri}`
}

/** The largest body of /mcp, less its envelope. */
const BYTES = 130_000
/** The most values of one message, less those of the envelope. */
const VALUES = 480

const rpc = (name: string, method: string, params: unknown, status = 200): AnonymousRequest =>
  json(`/mcp ${name}`, '/mcp', status, { jsonrpc: '2.0', id: 1, method, params })

const tool = (name: string, toolName: string, args: unknown, status = 200): AnonymousRequest =>
  rpc(`${toolName}, ${name}`, 'tools/call', { name: toolName, arguments: args }, status)

const initialize = (capabilities: unknown): object => ({
  protocolVersion: '2025-11-25',
  clientInfo: { name: 'bench', version: '1' },
  capabilities,
})

const many = (value: unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: VALUES }, (_, at) => [at.toString(36), value]))

const NESTED = `${'[{"a":'.repeat(7)}1${'}]'.repeat(7)}`

export const MCP_REQUESTS: readonly AnonymousRequest[] = [
  rpc(
    'initialize, 128 KB of wrong capabilities',
    'initialize',
    initialize({ experimental: members(BYTES, 1) }),
    400,
  ),
  rpc('initialize, 480 wrong capabilities', 'initialize', initialize({ experimental: many(1) })),
  rpc('initialize, 480 capabilities', 'initialize', initialize({ experimental: many({}) })),
  rpc('initialize, 480 wrong icons', 'initialize', {
    ...initialize({}),
    clientInfo: { icons: items(1_430, {}) },
  }),
  rpc('tools/list', 'tools/list', {}),
  {
    ...rpc(
      'tools/list, revision 2026-07-28, 480 wrong capabilities',
      'tools/list',
      {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': { experimental: many(1) },
        },
      },
      400,
    ),
    headers: {
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/list',
    },
  },
  rpc('tools/list, 480 values of _meta', 'tools/list', { _meta: many(1) }),
  rpc('tools/list, a cursor of 128 KB', 'tools/list', { cursor: 'x'.repeat(BYTES) }),
  rpc('ping, 128 KB of numbers', 'ping', { a: items(BYTES, 1) }, 400),
  rpc('ping, 128 KB of empty objects', 'ping', { a: items(BYTES, {}) }, 400),
  rpc('a method of 128 KB', 'x'.repeat(BYTES), {}),
  json('/mcp an id of 128 KB', '/mcp', 200, {
    jsonrpc: '2.0',
    id: 'x'.repeat(BYTES),
    method: 'ping',
  }),
  json('/mcp 128 KB of backslashes', '/mcp', 200, {
    jsonrpc: '2.0',
    id: 1,
    method: 'ping',
    params: { a: '\\'.repeat(BYTES / 2) },
  }),
  json(
    '/mcp 128 KB of nested values',
    '/mcp',
    400,
    `{"a":[${Array.from({ length: 2_250 }, () => NESTED).join(',')}]}`,
  ),
  json('/mcp 128 KB that is no JSON', '/mcp', 400, `{"a":[${'1,'.repeat(BYTES / 2)}`),
  tool('the whole guide', 'get_service_documentation', {}),
  tool('created', 'create_tenant', { confirmed: true }),
  tool('480 unknown fields', 'create_tenant', many(1)),
  tool('128 KB of unknown fields', 'create_tenant', members(BYTES, 1), 400),
  tool('unknown key', 'tenant_status', { tenant_id: 'a-b', coh_management_key: 'x' }),
  tool('20,000 characters', 'give_feedback', {
    tenant_id: 'a-b',
    coh_management_key: 'x',
    feedback: '\u1234'.repeat(20_000),
  }),
  tool('450 wrong callback URLs', 'provision_resource', {
    tenant_id: 'a-b',
    coh_management_key: 'x',
    confirmed: true,
    resource: 'social-login',
    configuration: { callback_urls: Array.from({ length: 450 }, () => 'https://*.*.example.com') },
  }),
  tool('50 callback URLs of 2,048 characters', 'provision_resource', {
    tenant_id: 'a-b',
    coh_management_key: 'x',
    confirmed: true,
    resource: 'social-login',
    configuration: {
      callback_urls: Array.from(
        { length: 50 },
        (_, at) => `https://a.example/${at}${'/%2e'.repeat(500)}`,
      ),
    },
  }),
]
