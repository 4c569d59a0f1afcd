import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { readCredentialsFile } from '@gatehouse/contract'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { World } from '../world.ts'
import type { Browser } from './browser.ts'
import type { Era } from './mcp.ts'

const REDIRECT = 'http://127.0.0.1:33419/callback'

/** What a client of that era says when it connects. */
const NEGOTIATION = { legacy: { mode: 'legacy' }, modern: { mode: { pin: '2026-07-28' } } } as const

/** The SDK's own client, which checks every answer against the protocol and every result against its output schema. */
export async function sdkClient(
  t: TestContext,
  world: World,
  era: Era,
  options: { readonly provider?: ClientMemory; readonly path?: string } = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: NEGOTIATION[era] })
  const transport = new StreamableHTTPClientTransport(new URL(options.path ?? '/mcp', world.baseUrl), {
    fetch: listening(world),
    ...(options.provider === undefined ? {} : { authProvider: options.provider }),
  })
  await client.connect(transport)
  t.after(() => client.close())
  assert.equal(client.getServerVersion()?.name, 'gatehouse')
  // From here on the client knows the output schemas, and checks results by them.
  await client.listTools()
  return client
}

/** A client that has never been here: it is challenged, finds its way, and a person allows what it asks for. */
export async function signedInClient(
  t: TestContext,
  world: World,
  era: Era,
  decide: (browser: Browser) => Promise<URL>,
): Promise<{ readonly client: Client; readonly memory: ClientMemory; readonly browser: Browser }> {
  const memory = new ClientMemory()
  const transport = new StreamableHTTPClientTransport(new URL('/mcp?login', world.baseUrl), {
    fetch: listening(world),
    authProvider: memory,
  })
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: NEGOTIATION[era] })
  await assert.rejects(client.connect(transport), UnauthorizedError)
  const browser = world.browser()
  assert.ok(memory.asked !== undefined, 'the person was sent somewhere')
  await browser.open(memory.asked)
  const landed = await decide(browser)
  await transport.finishAuth(landed.searchParams)
  return { client: await sdkClient(t, world, era, { provider: memory, path: '/mcp?login' }), memory, browser }
}

/** Everything a client remembers between one connection and the next. */
export class ClientMemory implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT
  readonly clientMetadata = { client_name: 'SDK test client', redirect_uris: [REDIRECT] }
  asked: URL | undefined
  #information: StoredOAuthClientInformation | undefined
  #tokens: StoredOAuthTokens | undefined
  #verifier = ''
  #discovered: OAuthDiscoveryState | undefined

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#information
  }

  saveClientInformation(information: StoredOAuthClientInformation): void {
    this.#information = information
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens
  }

  redirectToAuthorization(url: URL): void {
    this.asked = url
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all' || scope === 'tokens') this.#tokens = undefined
    if (scope === 'all' || scope === 'client') this.#information = undefined
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered
  }
}

/** Every answer passes by here, so that the secrets in it are known when the logs are searched. */
const listening =
  ({ secrets }: World): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const text = await response.text()
    secrets.revocation(text)
    // Of the class that is global here, where the service runs too: its HTTP adapter puts one of its own there.
    return new Response(text === '' ? null : text, { status: response.status, headers: response.headers })
  }

/** What a tool did, through the SDK's client. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
export async function use(client: Client, name: string, args: Record<string, unknown> = {}): Promise<any> {
  const result = await client.callTool({ name, arguments: args })
  const [content] = result.content
  assert.ok(content?.type === 'text')
  assert.notEqual(result.isError, true, content.text)
  assert.deepEqual(JSON.parse(content.text), result.structuredContent)
  return result.structuredContent
}

/** What a tool that refused told the agent. */
export async function apiErrorOf(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const result = await client.callTool({ name, arguments: args })
  const [content] = result.content
  assert.ok(content?.type === 'text')
  assert.equal(result.isError, true, content.text)
  return content.text
}

/** The two arguments that the public door wants, from the file that an agent would have written. */
export function namedBy(created: { readonly credentials_file?: { readonly content: string } }): {
  readonly tenant_id: string
  readonly coh_management_key: string
} {
  const read = readCredentialsFile(created.credentials_file?.content ?? '')
  assert.ok(read.ok)
  const { tenant_id, coh_management_key } = read.credentials
  return { tenant_id, coh_management_key }
}
