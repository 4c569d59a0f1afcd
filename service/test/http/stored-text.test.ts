import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claim } from '../support/actors/claim.ts'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const NUL = '\0'
const REPORT = `It worked. ${NUL}`.padEnd(300, 'x')

for (const engine of ENGINES) {
  // proves C158, S035
  test(`[${engine}] a NUL in any text that would be stored is 400 and stores nothing`, async (t) => {
    const here = await world(t, { engine })
    const { agent, browser, baseUrl, logLines } = here
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    const { request_records: _earlier, refusals: _none, ...before } = await everyRow(here)

    const texts: readonly (readonly [string, unknown])[] = [
      ['/api/feedback/service', { feedback: `before${NUL}after` }],
      ['/api/feedback', { feedback: REPORT, user_authorized: true }],
      ['/api/resources/social-login', { callback_urls: [`https://app.example.com/${NUL}`] }],
      ['/api/resources/social-login', { callback_url: `https://app.example.com/?a=${NUL}` }],
      [
        '/api/resources',
        {
          resources: ['social-login'],
          configurations: { 'social-login': { callback_url: `https://a.example/${NUL}` } },
        },
      ],
    ]
    for (const [path, body] of texts) {
      const { status, json, text } = await tenant.manage('POST', path, body)
      assert.deepEqual([status, json.error.code], [400, 'invalidRequest'], `${path}: ${text}`)
    }
    for (const query of [
      '?return_to=/a%00b',
      '?redirect_uri=https://app.example.com/callback%00',
    ]) {
      assert.equal(
        (await agent.call('GET', `/edge/auth/${tenant.id}/google${query}`)).status,
        400,
        query,
      )
    }
    const wire = new RawMcpClient(agent)
    const withKey = { tenant_id: tenant.id, coh_management_key: tenant.key }
    const feedback = await wire.call('give_feedback', { ...withKey, feedback: `a${NUL}b` })
    assert.ok(feedback.isError, feedback.text)
    assert.match(feedback.text, /^invalidRequest: .*\n- feedback: Remove the NUL character/)
    const callback = {
      ...withKey,
      confirmed: true,
      resource: 'social-login',
      callback_urls: [`https://a.example/${NUL}`],
    }
    assert.equal((await wire.call('provision_resource', callback)).isError, true)

    // Refused starts are counted, with the redirect URI as a URL parser reads it: without the NUL.
    const { request_records: _later, refusals, ...after } = await everyRow(here)
    assert.deepEqual(after, before)
    assert.ok(!JSON.stringify(refusals).includes('\\u0000'))
    assert.deepEqual(
      logLines.filter((line) => line.includes('"level":50')),
      [],
    )
    assert.equal((await browser().request(`${baseUrl}/account?next=/account%00`)).status, 200)
  })

  test(`[${engine}] a NUL in the name of an OAuth client is removed, and one in its redirect URI is 400`, async (t) => {
    const { agent } = await world(t, { engine })
    const register = (body: unknown) => agent.call('POST', '/oauth/register', { body })
    const refused = await register({ redirect_uris: [`http://localhost/${NUL}`] })
    assert.deepEqual([refused.status, refused.json.error], [400, 'invalid_redirect_uri'])
    const cleaned = await register({
      client_name: `My${NUL} agent`,
      redirect_uris: ['http://localhost/cb'],
    })
    assert.deepEqual([cleaned.status, cleaned.json.client_name], [201, 'My agent'])
  })
}
