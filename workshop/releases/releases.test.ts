import assert from 'node:assert/strict'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createLocalFixture } from '../../local/test/support/machine.ts'
import { connect, ERAS } from '../../local/test/support/mcp.ts'
import { applySetCookies, browserRequest } from '../../sdk/test/support/fixture.ts'
import { claim } from '../../service/test/support/actors/claim.ts'
import { signInToReadmeApp } from '../../service/test/support/process/readme-app.ts'
import { startService } from '../../service/test/support/process/service-process.ts'
import { slow } from '../../service/test/support/tags.ts'
import { world } from '../../service/test/support/world.ts'
import { fileOfPackage, RELEASES, unpackRelease } from './packages.ts'

// The service answers the calls of the SDK and the local tools of every release, as they were packed.

type Sdk = typeof import('../../sdk/src/index.ts')
type SdkManagement = typeof import('../../sdk/src/management.ts')

const CALLBACK = 'https://app.example/callback'
/** Only a hang exceeds it. */
const timeoutMs = 60_000

test('at least one release is kept', () => assert.ok(RELEASES.length > 0))

for (const version of RELEASES) {
  const load = async <Module>(file: string): Promise<Module> => {
    const folder = await unpackRelease(version, 'sdk')
    return (await import(pathToFileURL(path.join(folder, 'dist', file)).href)) as Module
  }

  const machineWith = async (t: TestContext) => {
    const cli = path.join(await unpackRelease(version, 'local'), 'dist/cli.js')
    return createLocalFixture(t, {}, { cli, env: { GATEHOUSE_TIMEOUT: String(timeoutMs / 1_000) } })
  }

  for (const flow of ['code', 'tokens'] as const) {
    // proves C378
    test(`the SDK of ${version} signs a user in by ${flow}, verifies, refreshes and signs out`, {
      skip: slow,
    }, async (t) => {
      const { createClient, handleCallback, handleLogout, startLogin } = await load<Sdk>('index.js')
      const service = await world(t, { through: 'port' })
      const tenant = await service.agent.createTenant([CALLBACK])
      await tenant.manage('PATCH', '/api/social-login/settings', {
        id_tokens: { audiences: ['a-database'] },
      })
      const client = createClient({ baseUrl: service.baseUrl, tenantId: tenant.id, timeoutMs })
      assert.deepEqual(
        (await client.providers()).map(({ name }) => name),
        ['google'],
      )

      const started = await startLogin(browserRequest('/login?return_to=/notes'), {
        client,
        flow,
        redirectUri: CALLBACK,
      })
      const browser = service.browser()
      await browser.open(started.headers.get('location') ?? '')
      await browser.press('Ada Lovelace')
      const callbackUrl = await browser.press('Continue')
      const cookies = applySetCookies(started.headers.getSetCookie())
      const returned = await handleCallback(browserRequest(String(callbackUrl), cookies), {
        client,
        flow,
      })
      assert.equal(returned.headers.get('location'), '/notes')
      const signedIn = applySetCookies(returned.headers.getSetCookie(), cookies)
      const session = await client.session(browserRequest('/notes', signedIn))
      assert.ok(session.status === 'signedIn')
      assert.equal(session.user.email, 'ada@example.com')
      assert.match(await session.idToken(), /^eyJ/)
      assert.match(await session.link('google'), new RegExp(`^${service.baseUrl}/`))

      service.clock.advance({ hours: 1, minutes: 1 })
      assert.equal((await client.session(browserRequest('/notes', signedIn))).status, 'expired')
      const lines: string[] = []
      const setCookie = (line: string): void => void lines.push(line)
      const refreshed = await client.session(browserRequest('/notes', signedIn), {
        refresh: true,
        setCookie,
      })
      assert.ok(refreshed.status === 'signedIn' && refreshed.tokens !== null)
      const { accessToken } = refreshed.tokens
      assert.equal((await client.verify(accessToken)).valid, true)

      const post = browserRequest('/logout', applySetCookies(lines, signedIn), { method: 'POST' })
      assert.equal((await handleLogout(post, { client })).status, 303)
      assert.equal((await client.verify(accessToken)).valid, false)
      assert.deepEqual(await tenant.eventKinds(), [
        'login_started',
        'authorize',
        'token_refreshed',
        'logout',
      ])
    })
  }

  // proves C378
  test(`the SDK of ${version} reports a denied login, a reused token and an unknown code as it is documented`, {
    skip: slow,
  }, async (t) => {
    const sdk = await load<Sdk>('index.js')
    const service = await world(t, { through: 'port' })
    const tenant = await service.agent.createTenant([CALLBACK])
    const client = sdk.createClient({ baseUrl: service.baseUrl, tenantId: tenant.id, timeoutMs })
    const browser = service.browser()
    await browser.open(client.loginUrl())
    await browser.press('Ada Lovelace')
    const denied = await browser.press('Cancel')
    assert.equal(sdk.readCallbackError(denied.searchParams.get('error'))?.code, 'access_denied')

    const { refresh_token } = await tenant.signIn(service.browser())
    await client.refresh(refresh_token)
    service.clock.advance({ minutes: 2 })
    await assert.rejects(
      sdk
        .createClient({ baseUrl: service.baseUrl, tenantId: tenant.id, timeoutMs })
        .refresh(refresh_token),
      sdk.RefreshReusedError,
    )
    const code = `svc_ac_01234567_${'c'.repeat(43)}`
    const exchange = { code, verifier: 'v'.repeat(43), idempotencyKey: 'a-key-of-the-test' }
    await assert.rejects(client.exchange(exchange), sdk.InvalidCodeError)
    const unknown = sdk.createClient({
      baseUrl: service.baseUrl,
      tenantId: 'no-such-tenant',
      timeoutMs,
    })
    await assert.rejects(unknown.refresh(refresh_token), sdk.GatehouseError)
  })

  // proves C378
  test(`the SDK of ${version} manages users, settings, invitations, webhooks and domains`, {
    skip: slow,
  }, async (t) => {
    const { createManagement, ManagementError } = await load<SdkManagement>('management.js')
    const service = await world(t, { through: 'port' })
    const tenant = await service.agent.createTenant()
    await tenant.signIn(service.browser())
    await claim(tenant, service.browser())
    const management = createManagement({ baseUrl: service.baseUrl, key: tenant.key, timeoutMs })
    const { users, settings, invitations, webhooks, domains } = management

    const { users: found, total } = await users.list({
      q: 'ada',
      count: true,
      include: ['blocked', 'identities'],
    })
    assert.deepEqual([found.map(({ id, blocked }) => [id, blocked]), total], [[[1, false]], 1])
    assert.equal((await users.sessions(1)).length, 1)
    await users.setMetadata(1, { plan: 'pro' })
    assert.deepEqual((await users.metadata(1)).metadata, { plan: 'pro' })
    await users.setClaims(1, { role: 'admin' })
    await users.block(1)
    assert.equal((await users.get(1, { include: ['claims', 'blocked'] })).blocked, true)
    await users.unblock(1)
    const exported = await (await users.export()).text()
    assert.equal((await users.import(exported)).results.length, 1)

    assert.equal((await settings.get()).callback_mode, 'either')
    assert.equal((await settings.change({ callback_mode: 'code' })).callback_mode, 'code')
    const { id: invitation } = await invitations.create({ email: 'grace@example.com' })
    assert.deepEqual(
      (await invitations.list()).map(({ id }) => id),
      [invitation],
    )
    await invitations.delete(invitation)
    const { webhook } = await webhooks.create({ url: 'https://app.example.com/hooks' })
    assert.equal((await webhooks.change(webhook.id, { status: 'disabled' })).status, 'disabled')
    await webhooks.delete(webhook.id)
    await domains.add('app.example.com')
    assert.equal((await domains.list()).length, 1)
    assert.equal((await management.providers.list())[0]?.name, 'google')
    assert.ok((await management.audit.list()).length > 0)
    assert.deepEqual(
      (await management.events.list()).map(({ event }) => event),
      ['login_started', 'authorize', 'logout'],
    )
    await users.delete(1)
    await assert.rejects(
      users.get(1),
      (error) =>
        error instanceof ManagementError && error.code === 'userNotFound' && error.status === 404,
    )
  })

  // proves C379
  test(`the local tools of ${version} create, provision, show, check and manage a project`, {
    skip: slow,
  }, async (t) => {
    const { machine, tenant, browser } = await machineWith(t)
    const command = async (...args: string[]) => {
      const ended = await machine.runProcess(...args)
      assert.equal(ended.code, 0, ended.stderr + ended.stdout)
      return ended
    }
    assert.match((await command('init', '--framework', 'express')).stdout, /wrote +server\.js/)
    await command('provision', '--add', CALLBACK)
    const [status] = (await command('status', '--json')).json
    assert.equal(status.status, 'ephemeral')
    await (await tenant()).signIn(browser(), 'Grace Hopper')
    assert.equal((await command('users', '--json')).json[0].email, 'grace@example.com')
    assert.equal((await command('events', '--json')).json.at(-1).event, 'authorize')
    await command('settings', 'callback_mode=code')
    await command('doctor')
    assert.match((await command('claim', '--no-wait', '--json')).stdout, /approval_url/)
  })

  test(`the lines of the README add sign-in to an app with the packages of ${version}: a user signs in at the service`, {
    skip: slow,
  }, async (t) => {
    const service = await startService(t)
    await signInToReadmeApp(t, service, {
      line: (line) =>
        line
          .replace(/--@gatehouse-auth:registry=\S+ /, '')
          .replace(
            /@gatehouse-auth\/(sdk|local)/,
            (_name, name: 'sdk' | 'local') => `file:${fileOfPackage(version, name)}`,
          ),
      // A file has no address of a service.
      env: { GATEHOUSE_URL: service.agent.baseUrl },
    })
  })

  for (const era of ERAS) {
    // proves C379
    test(`[${era}] the MCP server of the local tools of ${version} sets up a project and hands it over`, {
      skip: slow,
    }, async (t) => {
      const { machine } = await machineWith(t)
      const agent = await connect(t, machine, era)
      assert.equal(agent.client.getServerVersion()?.version, version)
      const { project: project_root } = machine
      const input = { project_root, confirmed: true }
      assert.match(await agent.response('get_service_documentation'), /# Gatehouse/)
      assert.equal((await agent.response('create_tenant', input)).status, 'ephemeral')
      const configuration = { callback_urls: [CALLBACK] }
      const { resources } = await agent.response('provision_resource', {
        ...input,
        resource: 'social-login',
        configuration,
      })
      assert.deepEqual(resources[0].callback_urls, [CALLBACK])
      assert.equal((await agent.response('tenant_status', { project_root })).status, 'ephemeral')
      assert.deepEqual(await agent.response('give_feedback', { project_root, feedback: 'good' }), {
        success: true,
      })
      assert.deepEqual(Object.keys(await agent.response('claim_tenant', input)), ['approval_url'])
    })
  }
}
