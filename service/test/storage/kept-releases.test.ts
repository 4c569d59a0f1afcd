import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type ApiResponse, CALLBACK, Tenant } from '../support/actors/agent.ts'
import type { Browser } from '../support/actors/browser.ts'
import { openClaim, waitForClaim } from '../support/actors/claim.ts'
import { codeQuery, exchange, newVerifier } from '../support/actors/login-code.ts'
import { RawMcpClient, toolResult } from '../support/actors/mcp.ts'
import { OAuthClient, postForm, REDIRECT, tokensOf } from '../support/actors/oauth-client.ts'
import { Clock } from '../support/clock.ts'
import { rowsOf } from '../support/postgres/database-rows.ts'
import { ENGINES, type Engine } from '../support/postgres/engines.ts'
import { emptyTables, keptFile, restoreKept } from '../support/postgres/kept-database.ts'
import { KEPT_DATABASES } from '../support/process/released.ts'
import { slow } from '../support/tags.ts'
import { answersOf, type Left } from '../support/upgrades/leave-everything.ts'
import { world } from '../support/world.ts'

// Every later build opens the databases of releases and landed builds, in which operations filled every table (service/test/releases/README.md).

/** A later migration removed them. */
const REMOVED = ['unsearched_users']

/** A start writes the level of the schema, and the server on which PostgreSQL runs now. */
const WRITTEN_BY_A_START = ['migrations', 'migration_hashes', 'migration_lock', 'lineage']

for (const version of KEPT_DATABASES) {
  for (const engine of ENGINES) {
    // proves C381
    test(`[${engine}] the database of ${version} has rows in every table, and a start keeps each of them as it was`, {
      skip: slow,
    }, async (t) => {
      const { env, database } = await restoreKept(version, engine)
      const before = await rowsOf(database)
      assert.deepEqual(emptyTables(engine, before), [])
      const { now } = leftOn(version, engine)
      const service = await world(t, { engine, env, clock: new Clock(now) })
      await service.stop()
      const after = await rowsOf(database)
      for (const [table, rows] of Object.entries(before)) {
        if (WRITTEN_BY_A_START.includes(table) || REMOVED.includes(table)) {
          continue
        }
        // Later versions may add columns, never change or remove one.
        const columns = Object.keys(rows[0] ?? {})
        const kept = (after[table] ?? [])
          // The dump is restored on another server of PostgreSQL, whose first start records which ids may have been lost.
          .filter(({ kind }) => kind !== 'sessions-lost')
          .map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])))
        assert.deepEqual(sorted(kept), sorted(rows), table)
      }
    })

    // proves C381
    test(`[${engine}] after an upgrade from ${version}, access, refresh and ID tokens, keys, codes and a repeated call work as before`, {
      skip: slow,
    }, async (t) => {
      const { service, left, tenant } = await upgraded(t, version, engine)
      const { agent } = service
      assert.deepEqual(
        await Promise.all(
          [left.current, left.rotated, left.ended].map((pair) => tenant.isValid(pair.access_token)),
        ),
        [true, false, false],
      )
      assert.match(
        (await ok(tenant.edge('id-token', { access_token: left.current.access_token }))).id_token,
        /^eyJ/,
      )
      assert.equal(
        await tenant.isValid((await tenant.refresh(left.current.refresh_token)).access_token),
        true,
      )
      await tenant.assertRefreshRejected(left.ended.refresh_token, 'invalidRefreshToken')
      const read = await ok(agent.call('GET', '/edge/session', { key: left.edgeSession }))
      assert.equal(read.tenant_id, tenant.id)
      const { access_token } = await ok(exchange(tenant, left.loginCode))
      assert.equal(await tenant.isValid(access_token), true)

      const guest = new Tenant(agent, left.guest, service.clock)
      assert.equal((await guest.status()).status, 'ephemeral')
      assert.equal(await guest.isValid(left.guestPair.access_token), true)
      const { id, tokens } = left.oauth
      const exchanged = await postForm(service, '/oauth/token', {
        grant_type: 'authorization_code',
        client_id: id,
        code: left.oauth.code.code,
        code_verifier: left.oauth.code.verifier,
        redirect_uri: REDIRECT,
      })
      assert.match(tokensOf(exchanged).access_token, /^mcp_at_/)
      const repeated = await toolResult(
        new RawMcpClient(agent).call('create_tenant', left.byAgent.creation, {
          token: tokens.access_token,
        }),
      )
      assert.equal(repeated.tenant_id, left.byAgent.id)
      tokensOf(await new OAuthClient(service, id).refresh(tokens.refresh_token))
    })

    // proves C381
    test(`[${engine}] after an upgrade from ${version}, owners and users are signed in and find projects, claims, consent and invitations`, {
      skip: slow,
    }, async (t) => {
      const { service, left, tenant } = await upgraded(t, version, engine)
      const { baseUrl } = service
      const withCookies = (name: keyof Left['cookies']): Browser => {
        const browser = service.browser()
        browser.cookies.keep(new URL(baseUrl), left.cookies[name])
        return browser
      }
      const owner = withCookies('owner')
      await owner.open(`${baseUrl}/account/projects/${tenant.id}/users`)
      assert.match(owner.page.text, /ada@example\.com/)
      const file = await withCookies('agentsOwner').request(
        `${baseUrl}/mcp/tenants/${left.byAgent.id}/credentials`,
      )
      assert.equal(await file.text(), left.byAgent.file)
      const person = withCookies('person')
      await person.open(`${baseUrl}/me`)
      assert.match(person.page.text, /You asked to have your data removed/)

      const remembered = withCookies('consenting')
      await remembered.open(tenant.loginUrl + codeQuery(newVerifier()))
      const reached = await remembered.press('Ada Lovelace')
      assert.deepEqual(
        [reached.origin + reached.pathname, reached.searchParams.has('code')],
        [CALLBACK, true],
      )
      const invited = service.browser()
      await invited.open(left.invitationUrl)
      assert.equal(invited.page.status, 200)

      const guest = new Tenant(service.agent, left.guest, service.clock)
      assert.equal((await waitForClaim(guest, left.guestClaim)).json.status, 'pending')
      const claiming = service.browser()
      await openClaim(claiming, left.guestClaim)
      await claiming.press('Approve')
      assert.equal((await guest.status()).status, 'claimed')
    })

    // proves C381
    test(`[${engine}] after an upgrade from ${version}, the API answers the owner as before, with additions at most`, {
      skip: slow,
    }, async (t) => {
      const { left, tenant } = await upgraded(t, version, engine)
      const answers = await answersOf(tenant, left.webhook)
      for (const [path, expected] of Object.entries(left.answers)) {
        assertContains(byKid(answers[path]), byKid(expected), path)
      }
    })
  }
}

const leftOn = (version: string, engine: Engine): Left =>
  JSON.parse(keptFile(version, `left.${engine}.json`).toString())

/** This build on a copy of the database, at the time at which the release stopped. */
async function upgraded(t: TestContext, version: string, engine: Engine) {
  const left = leftOn(version, engine)
  const { env } = await restoreKept(version, engine)
  const service = await world(t, { engine, env, clock: new Clock(left.now) })
  return { service, left, tenant: new Tenant(service.agent, left.tenant, service.clock) }
}

async function ok(call: Promise<ApiResponse>): Promise<ApiResponse['json']> {
  const { status, text, json } = await call
  assert.equal(status, 200, text)
  return json
}

const sorted = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).sort()

/** Published keys have no order, and a later version may add one. */
function byKid(answer: unknown): unknown {
  const { keys } = (answer ?? {}) as { keys?: readonly { readonly kid?: string }[] }
  const arePublished = Array.isArray(keys) && keys.every(({ kid }) => kid !== undefined)
  return arePublished ? Object.fromEntries(keys.map((key) => [key.kid, key])) : answer
}

/** Every field and element of `expected` is in `actual`, which may have more fields. */
function assertContains(actual: unknown, expected: unknown, path: string): void {
  if (typeof expected !== 'object' || expected === null) {
    assert.equal(actual, expected, path)
    return
  }
  assert.ok(typeof actual === 'object' && actual !== null, path)
  if (Array.isArray(expected)) {
    assert.equal((actual as unknown[]).length, expected.length, path)
  }
  for (const [name, value] of Object.entries(expected)) {
    assertContains((actual as Record<string, unknown>)[name], value, `${path} ${name}`)
  }
}
