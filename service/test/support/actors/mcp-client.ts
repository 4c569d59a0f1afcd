import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { readCredentialsFile } from '@gatehouse-auth/contract'
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

/** The protocol version that a client of each era negotiates. */
const NEGOTIATION = { legacy: { mode: 'legacy' }, modern: { mode: { pin: '2026-07-28' } } } as const

/** The MCP SDK's client, which validates every response against the protocol and every result against its output schema. */
export async function sdkClient(
  t: TestContext,
  world: World,
  era: Era,
  options: { readonly provider?: ClientMemory; readonly path?: string } = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: NEGOTIATION[era] },
  )
  const transport = new StreamableHTTPClientTransport(
    new URL(options.path ?? '/mcp', world.baseUrl),
    {
      fetch: collectingSecrets(world),
      ...(options.provider === undefined ? {} : { authProvider: options.provider }),
    },
  )
  await client.connect(transport)
  t.after(() => client.close())
  assert.equal(client.getServerVersion()?.name, 'gatehouse')
  // Listing the tools gives the client their output schemas, so that it validates results.
  await client.listTools()
  return client
}

/** A new client goes through discovery, registration and consent; `decide` presses the consent page's button. */
export async function signedInClient(
  t: TestContext,
  world: World,
  era: Era,
  decide: (browser: Browser) => Promise<URL>,
): Promise<{ readonly client: Client; readonly memory: ClientMemory; readonly browser: Browser }> {
  const memory = new ClientMemory()
  const transport = new StreamableHTTPClientTransport(new URL('/mcp?login', world.baseUrl), {
    fetch: collectingSecrets(world),
    authProvider: memory,
  })
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: NEGOTIATION[era] },
  )
  await assert.rejects(client.connect(transport), UnauthorizedError)
  const browser = world.browser()
  assert.ok(
    memory.authorizationUrl !== undefined,
    'the client redirects to the authorization endpoint',
  )
  await browser.open(memory.authorizationUrl)
  const redirectUrl = await decide(browser)
  await transport.finishAuth(redirectUrl.searchParams)
  return {
    client: await sdkClient(t, world, era, { provider: memory, path: '/mcp?login' }),
    memory,
    browser,
  }
}

/** The OAuth state that a client keeps between connections. */
export class ClientMemory implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT
  readonly clientMetadata = { client_name: 'SDK test client', redirect_uris: [REDIRECT] }
  authorizationUrl: URL | undefined
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
    this.authorizationUrl = url
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all' || scope === 'tokens') {
      this.#tokens = undefined
    }
    if (scope === 'all' || scope === 'client') {
      this.#information = undefined
    }
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered
  }
}

/** Collects the secrets of every response, so that the test can search the log for them. */
const collectingSecrets =
  ({ secrets }: World): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const text = await response.text()
    secrets.collect(text)
    // The global `Response`: the service's HTTP adapter in this process replaces that class.
    return new Response(text === '' ? null : text, {
      status: response.status,
      headers: response.headers,
    })
  }

/** Calls a tool through the SDK's client and returns its structured content. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any result
): Promise<any> {
  const result = await client.callTool({ name, arguments: args })
  const [content] = result.content
  assert.ok(content?.type === 'text')
  assert.notEqual(result.isError, true, content.text)
  if (name === 'get_service_documentation') {
    return content.text
  }
  assert.deepEqual(JSON.parse(content.text), result.structuredContent)
  return result.structuredContent
}

/** Calls a tool that must fail, and returns the text of its error. */
export async function toolErrorOf(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const result = await client.callTool({ name, arguments: args })
  const [content] = result.content
  assert.ok(content?.type === 'text')
  assert.equal(result.isError, true, content.text)
  return content.text
}

/** The arguments that name a tenant without OAuth, read from its credentials file. */
export function tenantArguments(created: {
  readonly credentials_file?: { readonly content: string }
}): {
  readonly tenant_id: string
  readonly coh_management_key: string
} {
  const read = readCredentialsFile(created.credentials_file?.content ?? '')
  assert.ok(read.ok)
  const { tenant_id, coh_management_key } = read.credentials
  return { tenant_id, coh_management_key }
}
