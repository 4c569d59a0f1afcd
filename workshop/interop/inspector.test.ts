import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOOL_NAMES } from '@gatehouse-auth/contract'
import { ERAS } from '../../service/test/support/actors/mcp.ts'
import { world } from '../../service/test/support/world.ts'
import { INSPECTOR, start } from './program.ts'

for (const era of ERAS) {
  test(`[${era}] MCP Inspector lists the tools in strict mode without warnings and can call them`, async (t) => {
    const { baseUrl } = await world(t, { through: 'port', realTime: true })
    const inspect = (...args: string[]) =>
      start(t, INSPECTOR, [
        '--cli',
        `${baseUrl}/mcp`,
        '--transport',
        'http',
        '--protocol-era',
        era,
        ...args,
      ]).ended

    const listed = await inspect('--method', 'tools/list', '--strict')
    assert.equal(listed.code, 0, listed.output)
    assert.ok(!/Warning|Issue:/.test(listed.output), listed.output)
    assert.deepEqual(
      JSON.parse(listed.output).tools.map(({ name }: { name: string }) => name),
      [...TOOL_NAMES],
    )
    const call = [
      '--method',
      'tools/call',
      '--tool-name',
      'create_tenant',
      '--tool-arg',
      'confirmed=true',
    ]
    const created = await inspect(...call)
    assert.equal(created.code, 0, created.output)
    assert.equal(JSON.parse(created.output).structuredContent.status, 'ephemeral')
  })
}
