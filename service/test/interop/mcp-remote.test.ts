import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { callTool } from '../support/actors/mcp-client.ts'
import { freshFolder } from '../support/postgres/engines.ts'
import { freePort } from '../support/transport/free-port.ts'
import { type World, world } from '../support/world.ts'
import { MCP_REMOTE, scriptOf } from './program.ts'

/** A client that only speaks over pipes, with mcp-remote between it and us. */
async function throughRemote(t: TestContext, { secrets }: World, url: string) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [scriptOf(MCP_REMOTE), url, String(await freePort())],
    // Nobody sits here, so no browser is opened: the test is the person.
    env: { PATH: '/nowhere', HOME: await freshFolder(), MCP_REMOTE_CONFIG_DIR: await freshFolder() },
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr?.on('data', (data: Buffer) => {
    said += data.toString()
  })
  const client = new Client({ name: 'test', version: '1' })
  t.after(async () => {
    secrets.collect(said)
    await client.close()
  })
  const says = async (pattern: RegExp): Promise<string> => {
    for (const deadline = Date.now() + 30_000; ; ) {
      const match = pattern.exec(said)
      if (match !== null) return match[0]
      if (Date.now() > deadline) throw new Error(`mcp-remote never said ${pattern}: ${said}`)
      await new Promise((later) => setTimeout(later, 20))
    }
  }
  return { client, connected: client.connect(transport), says }
}

test('a client behind mcp-remote uses the public tools without being asked for anything', async (t) => {
  const here = await world(t, { realTime: true })
  const { client, connected } = await throughRemote(t, here, `${here.baseUrl}/mcp`)
  await connected
  assert.equal((await client.listTools()).tools.length, 6)
  assert.equal((await callTool(client, 'create_tenant', { confirmed: true })).status, 'ephemeral')
})

test('a client behind mcp-remote signs in at ?login, and creates what its account owns', async (t) => {
  const here = await world(t, { realTime: true })
  const { client, connected, says } = await throughRemote(t, here, `${here.baseUrl}/mcp?login`)
  const address = await says(new RegExp(`${here.baseUrl}/oauth/authorize\\?\\S+`))
  const person = here.browser()
  await person.open(address)
  await person.press('Sign in with Google')
  await person.press('Grace Hopper')
  await fetch(await person.press('Allow'))
  await connected
  const created = await callTool(client, 'create_tenant', { confirmed: true, idempotency_key: 'behind-remote' })
  assert.equal(created.status, 'claimed')
  assert.equal((await callTool(client, 'tenant_status', { tenant_id: created.tenant_id })).tier, 'free')
})
