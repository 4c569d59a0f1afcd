import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/actors/agent.ts'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { connectAgent } from '../support/faults/app.ts'
import { faultProxy } from '../support/faults/fault-proxy.ts'
import { figure, seconds } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { freshPostgres } from '../support/postgres/engines.ts'
import { long } from '../support/tags.ts'

const FAULTS = ['cut', 'blackhole'] as const

// fosite (CVE-2020-15223) returned success for a revocation although its storage had failed.
for (const fault of FAULTS) {
  test(`F9: while the database is unreachable (${fault}), logout, revocation and deletion return 503, never success`, {
    skip: long,
  }, async (t) => {
    const proxy = await faultProxy(t, await freshPostgres())
    const fixture = await createFixture(t, 'postgres', { databases: [proxy.url], instances: 1 })
    const { cluster, app } = fixture
    const { access_token, refresh_token } = await newTokenPair(fixture)
    const { client, tokens } = await connectAgent(cluster)
    proxy[fault]()
    const began = performance.now()
    const responses: ApiResponse[] = await Promise.all([
      app.edge('logout', { refresh_token }),
      client.revoke(tokens.access_token),
      client.revoke(tokens.refresh_token),
      app.manage('DELETE', '/api/resources/social-login'),
    ])
    const took = performance.now() - began
    for (const response of responses) {
      assert.equal(response.status, 503, response.text)
      assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
    proxy.heal()
    const ready = await cluster.ready()
    assert.equal(await app.isValid(access_token), true, 'I10: the 503 changed nothing')
    assert.equal(
      (await new RawMcpClient(cluster.first.agent).toolNames({ token: tokens.access_token }))
        .length,
      6,
    )
    assert.equal((await app.edge('logout', { refresh_token })).status, 200)
    assert.equal(await app.isValid(access_token), false)
    assert.equal((await client.revoke(tokens.access_token)).status, 200)
    figure(
      t,
      `F9 ${fault}: 4 of 4 got 503 within ${seconds(took)}, ready ${seconds(ready)} after the fault`,
    )
  })
}
