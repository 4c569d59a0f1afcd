import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { callTool } from '../../service/test/support/actors/mcp-client.ts'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { waitUntil } from '../../service/test/support/process/wait-until.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { type World, world } from '../../service/test/support/world.ts'
import { MCP_REMOTE, scriptOf } from './program.ts'

/** An stdio client that connects to the service through mcp-remote. */
async function connectThroughRemote(t: TestContext, { secrets }: World, url: string) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [scriptOf(MCP_REMOTE), url, String(await freePort())],
    // Without a PATH, mcp-remote cannot open a browser; the test opens the printed URL itself.
    env: {
      PATH: '/nowhere',
      HOME: await freshFolder(),
      MCP_REMOTE_CONFIG_DIR: await freshFolder(),
    },
    stderr: 'pipe',
  })
  let output = ''
  transport.stderr?.on('data', (data: Buffer) => {
    output += data.toString()
  })
  const client = new Client({ name: 'test', version: '1' })
  t.after(async () => {
    secrets.collect(output)
    await client.close()
  })
  const waitForOutput = async (pattern: RegExp): Promise<string> => {
    await waitUntil(`mcp-remote prints ${pattern}`, () => pattern.test(output))
    return pattern.exec(output)?.[0] ?? ''
  }
  return { client, connected: client.connect(transport), waitForOutput }
}

test('a client behind mcp-remote can use the public tools without signing in', async (t) => {
  const here = await world(t, { through: 'port', realTime: true })
  const { client, connected } = await connectThroughRemote(t, here, `${here.baseUrl}/mcp`)
  await connected
  assert.equal((await client.listTools()).tools.length, 6)
  assert.equal((await callTool(client, 'create_tenant', { confirmed: true })).status, 'ephemeral')
})

test('a client behind mcp-remote can sign in at ?login and create a tenant that its account owns', async (t) => {
  const here = await world(t, { through: 'port', realTime: true })
  const { client, connected, waitForOutput } = await connectThroughRemote(
    t,
    here,
    `${here.baseUrl}/mcp?login`,
  )
  const authorizeUrl = await waitForOutput(new RegExp(`${here.baseUrl}/oauth/authorize\\?\\S+`))
  const browser = here.browser()
  await browser.open(authorizeUrl)
  await browser.press('Sign in with Google')
  await browser.press('Grace Hopper')
  await fetch(await browser.press('Allow'))
  await connected
  const created = await callTool(client, 'create_tenant', {
    confirmed: true,
    idempotency_key: 'behind-remote',
  })
  assert.equal(created.status, 'claimed')
  assert.equal(
    (await callTool(client, 'tenant_status', { tenant_id: created.tenant_id })).tier,
    'free',
  )
})
