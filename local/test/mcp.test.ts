import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { TOOL_NAMES, TOOLS } from '@gatehouse-auth/contract'
import { claim } from '../../service/test/support/actors/claim.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import {
  createLocalFixture,
  createMachine,
  type Machine,
  validCredentialsFile,
} from './support/machine.ts'
import { connect, ERAS } from './support/mcp.ts'

const CONFIRMED = { confirmed: true }

for (const era of ERAS) {
  // proves C097
  test(`[${era}] tools/list returns the six tools with the local input schemas`, async (t) => {
    const machine = await createMachine(t, {})
    const { client } = await connect(t, machine, era)
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      [...TOOL_NAMES],
    )
    for (const [index, tool] of tools.entries()) {
      const definition = TOOLS[index]
      assert.ok(definition)
      assert.deepEqual(
        Object.keys(tool.inputSchema.properties ?? {}),
        Object.keys(definition.input.local.shape),
      )
      assert.equal(tool.inputSchema.additionalProperties, false)
      assert.deepEqual(tool.annotations, definition.annotations)
      assert.ok((tool.description?.length ?? 0) > 40)
      assert.equal(tool.outputSchema === undefined, tool.name === 'get_service_documentation')
      assert.doesNotMatch(JSON.stringify(tool), /coh_|idempotency_key|"content"|\$ref|\$defs/)
    }
    assert.match(client.getInstructions() ?? '', /get_service_documentation/)
    assert.equal(client.getServerVersion()?.name, 'gatehouse-local')
  })

  test(`[${era}] an agent sets up a project and never receives a key`, async (t) => {
    const { machine, baseUrl, browser, tenant } = await createLocalFixture(t)
    const project_root = machine.project
    const agent = await connect(t, machine, era)

    const documentation = await agent.response('get_service_documentation', { whatever: 1 })
    assert.ok(documentation.length <= 10_000)
    assert.match(documentation, /local MCP server[\s\S]*project_root[\s\S]*# Gatehouse/)
    assert.ok(documentation.includes(`${baseUrl}/api/resources/social-login`))

    const created = await agent.response('create_tenant', { ...CONFIRMED, project_root })
    assert.deepEqual(
      [created.status, created.credentials_path, created.reused],
      ['ephemeral', machine.file, false],
    )
    assert.equal(await machine.mode(), '600')
    assert.equal(
      (await agent.response('create_tenant', { ...CONFIRMED, project_root })).reused,
      true,
    )

    const callback_urls = ['https://app.example.com/callback']
    const configuration = { callback_urls }
    const single = { resource: 'social-login', configuration }
    const bulk = { resources: ['social-login'], configurations: { 'social-login': configuration } }
    for (const form of [single, bulk]) {
      const { resources, ...rest } = await agent.response('provision_resource', {
        ...CONFIRMED,
        project_root,
        ...form,
      })
      assert.deepEqual([resources[0].callback_urls, rest], [callback_urls, {}])
      assert.equal(resources[0].login_url, `${baseUrl}/edge/auth/${created.tenant_id}/google`)
    }
    await writeFile(
      path.join(project_root, 'package.json'),
      '{"dependencies":{"@gatehouse-auth/sdk":"*"}}',
    )
    const withSdk = await agent.response('provision_resource', {
      ...CONFIRMED,
      project_root,
      ...single,
    })
    assert.deepEqual(withSdk.app_login_urls, ['https://app.example.com/login'])
    await (await tenant()).manage('PATCH', '/api/social-login/settings', { callback_mode: 'code' })
    const codesOnly = await agent.response('provision_resource', {
      ...CONFIRMED,
      project_root,
      ...single,
    })
    assert.match(
      codesOnly.resources[0].warnings.at(-1),
      /^The login link alone is refused, because callback_mode is code/,
    )
    const toApp = {
      resource: 'social-login',
      configuration: { callback_urls: ['com.example.app:/callback'] },
    }
    const installed = await agent.response('provision_resource', {
      ...CONFIRMED,
      project_root,
      ...toApp,
    })
    assert.match(
      installed.resources[0].warnings.at(-1),
      /^The login link alone is refused: .*code_challenge/,
    )
    assert.equal('app_login_urls' in installed, false)
    const status = await agent.response('tenant_status', { project_root })
    assert.deepEqual(status, await (await tenant()).status())

    assert.deepEqual(
      await agent.response('give_feedback', { project_root, feedback: '  good  ' }),
      { success: true },
    )
    const link = await agent.response('claim_tenant', { ...CONFIRMED, project_root })
    assert.deepEqual(Object.keys(link), ['approval_url'])
    await claim(await tenant(), browser())
    assert.match(
      await agent.apiError('claim_tenant', { ...CONFIRMED, project_root }),
      /^alreadyClaimed: /,
    )
    assert.equal((await agent.response('tenant_status', { project_root })).status, 'claimed')
  })

  test(`[${era}] invalid arguments return an error that names the fix, and change nothing`, async (t) => {
    const { machine } = await createLocalFixture(t)
    const { project: project_root } = machine
    const agent = await connect(t, machine, era)
    assert.match(
      await agent.apiError('tenant_status', { project_root }),
      /^credentialsMissing: .*create_tenant/,
    )
    assert.match(
      await agent.apiError('create_tenant', { project_root }),
      /^invalidRequest: .*\n- confirmed: /,
    )
    assert.match(
      await agent.apiError('create_tenant', { project_root, confirmed: 'yes' }),
      /- confirmed: /,
    )
    const unknownField = await agent.apiError('tenant_status', {
      project_root,
      coh_management_key: 'hello',
    })
    assert.match(unknownField, /It takes: project_root\.\n- There is no field coh_management_key/)
    assert.doesNotMatch(unknownField, /svc_|hello/)
    for (const invalid of [
      'relative',
      './x',
      `${project_root}/../project`,
      path.join(project_root, 'missing'),
    ]) {
      assert.match(
        await agent.apiError('create_tenant', { ...CONFIRMED, project_root: invalid }),
        /^projectRootInvalid: /,
      )
      assert.match(
        await agent.apiError('tenant_status', { project_root: invalid }),
        /^projectRootInvalid: /,
      )
    }
    assert.deepEqual(await readdir(project_root), [])

    await agent.response('create_tenant', { ...CONFIRMED, project_root })
    const configuration = {
      callback_urls: ['http://app.example.com/cb', 'https://app.example.com/cb'],
    }
    const single = { ...CONFIRMED, project_root, resource: 'social-login', configuration }
    assert.match(
      await agent.apiError('provision_resource', single),
      /^invalidRequest: .*\n- callback_urls\[0\]: /,
    )
    const half = { ...CONFIRMED, project_root, resource: 'social-login' }
    assert.match(await agent.apiError('provision_resource', half), /both parts of one/)
    assert.match(
      await agent.apiError('give_feedback', { project_root, feedback: ' ' }),
      /- feedback: Write something/,
    )
    await assert.rejects(
      agent.client.callTool({ name: 'delete_everything', arguments: {} }),
      /Unknown tool/,
    )
  })

  test(`[${era}] an unusable .service file and an unreachable service return an error with the next step`, async (t) => {
    const unreachable = `http://localhost:${await freePort()}`
    const machine = await createMachine(t, { GATEHOUSE_URL: unreachable })
    const { project: project_root } = machine
    const agent = await connect(t, machine, era)
    assert.match(
      await agent.apiError('get_service_documentation'),
      /^serviceUnreachable: .*Tell the user/,
    )
    await machine.write(validCredentialsFile(unreachable).slice(0, 200))
    assert.match(
      await agent.apiError('tenant_status', { project_root }),
      /^credentialsUnreadable: .*Do not overwrite/,
    )
    const unsafe = path.join(machine.home, 'unsafe')
    await mkdir(unsafe)
    await machine.write(validCredentialsFile(unreachable), 0o644, path.join(unsafe, '.service'))
    assert.match(
      await agent.apiError('tenant_status', { project_root: unsafe }),
      /^credentialsUnsafe: .*chmod 600/,
    )
  })

  test(`[${era}] concurrent create_tenant calls create one tenant, and the others reuse it`, async (t) => {
    const { machine } = await createLocalFixture(t)
    const agent = await connect(t, machine, era)
    const request = {
      name: 'create_tenant',
      arguments: { ...CONFIRMED, project_root: machine.project },
    }
    const all = await Promise.all(Array.from({ length: 5 }, () => agent.client.callTool(request)))
    const responses = all.map(
      (result) => result.structuredContent as Record<string, unknown> | undefined,
    )
    assert.equal(responses.filter((response) => response?.reused === false).length, 1)
    assert.equal(new Set(responses.map((response) => response?.tenant_id)).size, 1)
    assert.ok(all.every(({ isError }) => isError !== true))
  })
}

test('the MCP server writes only protocol messages to stdout for any input, and exits when the input ends', async (t) => {
  const { machine } = await createLocalFixture(t)
  const running = machine.start(['mcp'])
  const { stdin } = running.child
  const send = (message: unknown): void => void stdin.write(`${JSON.stringify(message)}\n`)
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  }
  send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })
  await running.waitForOutput('"id":1')
  send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  stdin.write('this is not JSON\n')
  stdin.write('{"jsonrpc":"2.0"\n')
  stdin.write('\n\n')
  send({ jsonrpc: '2.0', id: 2, method: 'ping' })
  send({ jsonrpc: '2.0', id: 3, method: 'nothing/of/the/kind' })
  send({ jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'nope' } })
  // One message in two writes, split inside a UTF-8 character.
  const call = {
    name: 'create_tenant',
    arguments: { confirmed: true, project_root: machine.project, é: 1 },
  }
  const bytes = Buffer.from(
    `${JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: call })}\n`,
  )
  const half = bytes.indexOf(0xc3) + 1
  // The response to the ping shows that the server has read the first half.
  const ping = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })}\n`)
  stdin.write(Buffer.concat([ping, bytes.subarray(0, half)]))
  await running.waitForOutput('"id":7')
  stdin.write(bytes.subarray(half))
  for (const id of [2, 3, 4, 5]) {
    await running.waitForOutput(`"id":${id}`)
  }
  send({ jsonrpc: '2.0', id: 6, method: 'tools/list' })
  await running.waitForOutput('"id":6')
  stdin.end()
  const { code, stdout, json } = await running.ended
  assert.equal(code, 0)
  assert.equal(json.length, 7, stdout)
  for (const message of json) {
    assert.equal(message.jsonrpc, '2.0')
  }
  const byId = new Map(json.map((message) => [message.id, message]))
  assert.deepEqual(byId.get(2).result, {})
  assert.equal(byId.get(3).error.code, -32601)
  assert.equal(byId.get(4).error.code, -32602)
  assert.equal(byId.get(5).result.isError, true)
  assert.equal(byId.get(6).result.tools.length, 6)
})

/** Sends the first message of a client, and waits for the response. */
async function initialize(running: ReturnType<Machine['start']>): Promise<void> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
  running.child.stdin.write(`${JSON.stringify(message)}\n`)
  await running.waitForOutput('"id":1')
}

test('after a message of more than 10 MiB the MCP server says so to the client, and ends', async (t) => {
  const { machine } = await createLocalFixture(t)
  const running = machine.start(['mcp'])
  const { stdin } = running.child
  // It ends before it has read everything.
  stdin.on('error', () => {})
  await initialize(running)
  const call = {
    name: 'tenant_status',
    arguments: { project_root: 'x'.repeat(11 * 1_024 * 1_024) },
  }
  stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call })}\n`)
  const { code, json, stderr } = await running.ended
  assert.equal(code, 1)
  assert.equal(json.length, 2)
  assert.equal(json[1].id, null)
  assert.equal(json[1].error.code, -32600)
  assert.match(json[1].error.message, /^A message has more than 10 MiB, .* start it again/)
  assert.ok(stderr.includes(json[1].error.message))
})

test('create_tenant completes after its client disconnects', async (t) => {
  const { machine, tenant } = await createLocalFixture(t)
  const running = machine.start(['mcp'])
  const { stdin } = running.child
  await initialize(running)
  const call = {
    name: 'create_tenant',
    arguments: { confirmed: true, project_root: machine.project },
  }
  stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call })}\n`)
  assert.equal((await running.ended).code, 0)
  assert.equal((await (await tenant()).status()).status, 'ephemeral')
  assert.deepEqual((await readdir(machine.project)).sort(), [
    '.gitignore',
    '.npmrc',
    '.service',
    '.service.secret',
  ])
})
