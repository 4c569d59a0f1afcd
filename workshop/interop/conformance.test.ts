import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { OAuthClient } from '../../service/test/support/actors/oauth-client.ts'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { world } from '../../service/test/support/world.ts'
import { CONFORMANCE, start } from './program.ts'

/** Scenarios that must never be in a baseline: every server has these parts of the protocol. */
const MUST_PASS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '2026-07-28': {
    'tools-list': 4,
    'http-header-validation': 14,
    'dns-rebinding-protection': 2,
    'server-sse-multiple-streams': 1,
    'input-required-result-unsupported-methods': 2,
    'input-required-result-validate-input': 3,
  },
  '2025-11-25': { 'server-initialize': 2, ping: 2, 'tools-list': 3, 'dns-rebinding-protection': 2 },
}

for (const [revision, scenarios] of Object.entries(MUST_PASS)) {
  test(`the official MCP conformance suite passes for revision ${revision}, except for features that six fixed tools cannot have`, async (t) => {
    const { baseUrl } = await world(t, { through: 'port', realTime: true })
    const { code, output } = await start(t, CONFORMANCE, [
      'server',
      ...['--url', `${baseUrl}/mcp`],
      ...['--suite', 'all'],
      ...['--spec-version', revision],
      ...[
        '--expected-failures',
        path.join(import.meta.dirname, `conformance-baseline-${revision}.yml`),
      ],
      ...['-o', await freshFolder()],
    ]).ended
    const summary = output.slice(output.indexOf('=== SUMMARY ==='))
    assert.equal(code, 0, summary)
    for (const [scenario, checks] of Object.entries(scenarios)) {
      assert.ok(
        summary.includes(`✓ ${scenario}: ${checks} passed, 0 failed`),
        `${scenario}: ${summary}`,
      )
    }
    if (revision === '2026-07-28') {
      assert.match(summary, /server-stateless: 24 passed, 4 failed/)
    }
  })
}

test('the official MCP conformance suite passes for the authorization server', async (t) => {
  const here = await world(t, { through: 'port', realTime: true })
  const port = await freePort()
  const redirectUri = `http://127.0.0.1:${port}/callback`
  const { id } = await OAuthClient.register(here, {}, redirectUri)
  const suite = start(t, CONFORMANCE, [
    'authorization',
    ...['--url', here.baseUrl],
    ...['--client-id', id],
    ...['--resource', `${here.baseUrl}/mcp`],
    ...['-p', String(port)],
    ...['--spec-version', '2026-07-28'],
    ...['-o', await freshFolder()],
  ])
  const [authorizeUrl] = await suite.waitForOutput(
    new RegExp(`${here.baseUrl}/oauth/authorize\\?\\S+`),
  )
  const browser = here.browser()
  await browser.open(authorizeUrl)
  await browser.press('Sign in with Google')
  await browser.press('Ada Lovelace')
  // The suite itself listens at the redirect URI.
  await fetch(await browser.press('Allow'))
  const { code, output } = await suite.ended
  assert.equal(code, 0, output)
  const summary = output.slice(output.indexOf('=== SUMMARY ==='))
  assert.match(summary, /✓ authorization-server-metadata-endpoint: \d+ passed, 0 failed/)
  assert.match(summary, /✓ authorization-code-grant: \d+ passed, 0 failed/)
})
