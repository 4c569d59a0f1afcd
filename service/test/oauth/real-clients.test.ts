import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OAuthClient, tokensOf } from '../support/actors/oauth-client.ts'
import { world } from '../support/world.ts'

interface RealClient {
  readonly registration: Readonly<Record<string, unknown>>
  /** The redirect URI it uses, if that differs from the registered one. */
  readonly redirectUri?: string
  readonly scope?: string
  readonly resource?: 'omitted'
}

/** The registrations of real MCP clients, and their redirect URIs. */
const CLIENTS: Readonly<Record<string, RealClient>> = {
  'Claude Code': {
    registration: {
      client_name: 'Claude Code (gatehouse)',
      redirect_uris: ['http://localhost:51720/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
  },
  'Claude.ai': {
    registration: {
      client_name: 'Claude',
      redirect_uris: [
        'https://claude.ai/api/mcp/auth_callback',
        'https://claude.com/api/mcp/auth_callback',
      ],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'claudeai',
    },
  },
  Cursor: {
    registration: {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  },
  'VS Code': {
    registration: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      grant_types: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    redirectUri: 'http://127.0.0.1:49152/',
  },
  Codex: {
    registration: {
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1:53121/callback/9f3a'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    resource: 'omitted',
  },
  ChatGPT: {
    registration: {
      client_name: 'ChatGPT',
      redirect_uris: [
        'https://chatgpt.com/connector/oauth/abc123',
        'https://chatgpt.com/connector_platform_oauth_redirect',
      ],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    scope: 'mcp:tenant:read offline_access',
  },
  'mcp-remote': {
    registration: {
      redirect_uris: ['http://localhost:24068/oauth/callback'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      client_name: 'MCP CLI Proxy',
      client_uri: 'https://github.com/modelcontextprotocol/mcp-cli',
      software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
      software_version: '0.15.1',
      application_type: 'native',
      scope: 'openid email profile',
    },
  },
  'MCP Inspector': {
    registration: {
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      redirect_uris: ['http://localhost:6274/oauth/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: '',
    },
  },
  opencode: {
    registration: {
      client_name: 'OpenCode',
      redirect_uris: ['http://127.0.0.1:19876/mcp/oauth/callback'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  },
}

for (const [name, { registration, redirectUri, scope, resource }] of Object.entries(CLIENTS)) {
  test(`${name} registers as the real client does, is redirected to its URI, and can refresh`, async (t) => {
    const here = await world(t)
    const [first = ''] = registration.redirect_uris as string[]
    const client = await OAuthClient.register(here, registration, redirectUri ?? first)
    const tokens = await client.connect(here.browser(), {
      ...(scope === undefined ? {} : { scope }),
      ...(resource === undefined ? {} : { resource: undefined }),
    })
    assert.equal(tokens.resource, `${here.baseUrl}/mcp`)
    tokensOf(await client.refresh(tokens.refresh_token))
  })
}

test('a client that checks the authorization URL first gets JSON that says it must register again', async (t) => {
  const here = await world(t)
  const forgotten = new OAuthClient(here, 'a-client-of-another-service')
  const response = await here.agent.call('GET', forgotten.authorizeUrl(), {
    headers: { Accept: 'application/json' },
  })
  assert.deepEqual([response.status, response.json.error], [400, 'invalid_client'])
  const refresh = await forgotten.refresh('mcp_rt_x')
  assert.deepEqual([refresh.status, refresh.json.error], [401, 'invalid_client'])
})
