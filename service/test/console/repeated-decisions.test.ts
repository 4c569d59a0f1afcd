import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Tenant } from '../support/actors/agent.ts'
import type { Browser } from '../support/actors/browser.ts'
import {
  type ClaimRequest,
  claim,
  openClaim,
  requestClaim,
  waitForClaim,
} from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { ENGINES, type Engine, sqliteOnly } from '../support/postgres/engines.ts'
import { type World, world } from '../support/world.ts'

interface OwnerPage {
  readonly here: World
  readonly tenant: Tenant
  readonly owner: Browser
  /** Sends a form of the page as it was shown, with the cookies that the browser had then. */
  send(fields: Record<string, string>, at?: World): Promise<Response>
}

const formOf = (
  here: World,
  owner: Browser,
  path: string,
  more: Record<string, string> = {},
): OwnerPage['send'] => {
  const csrf = csrfOf(owner)
  const Cookie = owner.cookies.header({ url: owner.page.url, method: 'POST', sameSite: true }) ?? ''
  return (fields, at = here) =>
    here.browser({ Cookie }).request(new URL(path, at.agent.baseUrl), {
      method: 'POST',
      body: new URLSearchParams({ csrf, ...more, ...fields }),
      headers: { Accept: 'text/html' },
    })
}

/** An owner who sees the claim page of a project with one stored user. */
async function claimPage(
  t: TestContext,
  engine: Engine,
): Promise<OwnerPage & { request: ClaimRequest }> {
  const here = await world(t, { engine })
  const tenant = await here.agent.createTenant()
  await tenant.signIn(here.browser(), 'Grace Hopper')
  const request = await requestClaim(tenant)
  const owner = here.browser()
  await openClaim(owner, request)
  return {
    here,
    tenant,
    owner,
    request,
    send: formOf(here, owner, `${owner.page.url.pathname}/decide`),
  }
}

/** An owner who sees the page of a project. */
async function projectPage(t: TestContext, engine: Engine): Promise<OwnerPage> {
  const here = await world(t, { engine })
  const tenant = await here.agent.createTenant()
  const owner = here.browser()
  await claim(tenant, owner)
  await owner.open(`${here.baseUrl}/account/projects/${tenant.id}/keys`)
  return { here, tenant, owner, send: keysForm(here, owner) }
}

const keysForm = (here: World, owner: Browser): OwnerPage['send'] => {
  const [, generation = ''] = /name="generation" value="(\d+)"/.exec(owner.page.text) ?? []
  return formOf(here, owner, `${owner.page.url.pathname}/replace`, { generation })
}

/** Another browser of the same owner. */
async function signedIn(here: World): Promise<Browser> {
  const elsewhere = here.browser()
  await elsewhere.open(`${here.baseUrl}/account`)
  await elsewhere.press('Sign in with Google')
  await elsewhere.press('Ada Lovelace')
  return elsewhere
}

/** Follows the redirect of a decision and returns the management key on the page, if there is one. */
async function resultOf(
  owner: Browser,
  response: Response,
): Promise<{ text: string; key: string | undefined }> {
  assert.equal(response.status, 303)
  await owner.open(new URL(response.headers.get('location') ?? '', owner.page.url))
  const { text } = owner.page
  return { text, key: /coh_management_key=(svc_man_\w+)/.exec(text)?.[1] }
}

for (const engine of ENGINES) {
  // proves C030, S003
  test(`[${engine}] pressing Approve again within a minute shows the same result, and claims once`, async (t) => {
    const { here, tenant, owner, request, send } = await claimPage(t, engine)
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => send({ decision: 'approve' })),
    )
    here.clock.advance({ seconds: 59 })
    for (const response of [...responses, await send({ decision: 'approve' })]) {
      assert.match((await resultOf(owner, response)).text, /This project is yours/)
    }
    assert.equal((await waitForClaim(tenant, request)).json.status, 'approved')
    assert.equal((await tenant.status()).usage.stored_users.used, 1, 'the user was counted once')
  })

  test(`[${engine}] pressing Deny again within a minute shows the same result`, async (t) => {
    const { tenant, owner, request, send } = await claimPage(t, engine)
    for (const response of await Promise.all([
      send({ decision: 'deny' }),
      send({ decision: 'deny' }),
    ])) {
      assert.match((await resultOf(owner, response)).text, /Request denied/)
    }
    assert.equal((await waitForClaim(tenant, request)).json.status, 'denied')
    assert.equal((await tenant.status()).status, 'ephemeral')
  })

  test(`[${engine}] approving twice with new keys shows the same keys, for a minute`, async (t) => {
    const { here, tenant, owner, send } = await claimPage(t, engine)
    const fields = { decision: 'approve', keys: 'now' }
    const [one, two] = await Promise.all([send(fields), send(fields)])
    const { key } = await resultOf(owner, one)
    assert.ok(key)
    assert.equal((await resultOf(owner, two)).key, key)
    await owner.open(owner.page.url)
    assert.match(owner.page.text, new RegExp(key), 'a reload shows them again')
    assert.equal((await tenant.call('GET', '/api/status', key)).status, 200)
    assert.equal(
      (await tenant.manage('GET', '/api/status')).status,
      401,
      'the old key was replaced',
    )

    here.clock.advance({ seconds: 60 })
    await owner.open(owner.page.url)
    assert.match(owner.page.text, /This project is yours/)
    assert.doesNotMatch(owner.page.text, /svc_man_\w/, 'after a minute they are not shown again')
    assert.equal((await tenant.call('GET', '/api/status', key)).status, 200)
  })

  test(`[${engine}] another decision, another choice about the keys, another browser and a press after a minute do not repeat a claim`, async (t) => {
    const { here, tenant, owner, request, send } = await claimPage(t, engine)
    assert.equal((await send({ decision: 'approve', keys: 'keep' })).status, 303)
    for (const fields of [{ decision: 'deny' }, { decision: 'approve', keys: 'overlap' }]) {
      const { text, key } = await resultOf(owner, await send(fields))
      assert.match(text, /This project is yours/, 'the page says what is decided')
      assert.equal(key, undefined)
    }
    const elsewhere = await signedIn(here)
    await elsewhere.open(request.approval_url)
    assert.match(
      elsewhere.page.text,
      /This project is yours/,
      'the same account sees the result in another browser',
    )
    const stranger = here.browser()
    await openClaim(stranger, request, 'Grace Hopper')
    assert.equal(stranger.page.status, 409)

    here.clock.advance({ seconds: 60 })
    assert.equal(
      (await resultOf(owner, await send({ decision: 'approve', keys: 'overlap' }))).key,
      undefined,
    )
    assert.equal((await tenant.manage('GET', '/api/status')).status, 200, 'the keys were kept')
  })

  test(`[${engine}] a second press of Approve in another browser of the same account is refused and shows no keys`, async (t) => {
    const { here, owner, request, send } = await claimPage(t, engine)
    const elsewhere = here.browser()
    await openClaim(elsewhere, request)
    const second = formOf(here, elsewhere, `${elsewhere.page.url.pathname}/decide`)
    const { key } = await resultOf(owner, await send({ decision: 'approve', keys: 'overlap' }))
    assert.ok(key)
    const refused = await second({ decision: 'approve', keys: 'overlap' })
    assert.doesNotMatch((await resultOf(elsewhere, refused)).text, /svc_man_\w/)
  })

  test(`[${engine}] pressing Replace keys again within a minute shows the same keys, and replaces once`, async (t) => {
    const { here, tenant, owner, send } = await projectPage(t, engine)
    const responses = await Promise.all(Array.from({ length: 5 }, () => send({ keys: 'overlap' })))
    here.clock.advance({ seconds: 59 })
    const keys = new Set<string | undefined>()
    for (const response of [...responses, await send({ keys: 'overlap' })]) {
      keys.add((await resultOf(owner, response)).key)
    }
    const [key = ''] = keys
    assert.equal(keys.size, 1)
    assert.match(key, /^svc_man_/)
    for (const each of [key, tenant.key]) {
      assert.equal((await tenant.call('GET', '/api/status', each)).status, 200)
    }

    here.clock.advance({ seconds: 1 })
    await owner.open(`${here.baseUrl}/account/projects/${tenant.id}/keys/new`)
    assert.match(owner.page.text, /New keys are shown for a minute/)
    assert.doesNotMatch(owner.page.text, /svc_man_\w/)
  })

  test(`[${engine}] another choice, another browser and a press after a minute do not replace the keys again; a new page does`, async (t) => {
    const { here, tenant, owner, send } = await projectPage(t, engine)
    const elsewhere = await signedIn(here)
    await elsewhere.open(`${here.baseUrl}/account/projects/${tenant.id}/keys`)
    const second = keysForm(here, elsewhere)

    const { key = '' } = await resultOf(owner, await send({ keys: 'overlap' }))
    const assertUnchanged = async (browser: Browser, response: Response): Promise<void> => {
      const { text, key: shown } = await resultOf(browser, response)
      assert.equal(shown, undefined)
      assert.match(text, /already replaced, so nothing was changed/)
      for (const each of [key, tenant.key]) {
        assert.equal((await tenant.call('GET', '/api/status', each)).status, 200)
      }
    }
    await assertUnchanged(owner, await send({ keys: 'now' }))
    await assertUnchanged(elsewhere, await second({ keys: 'overlap' }))
    await elsewhere.open(`${here.baseUrl}/account/projects/${tenant.id}/keys/new`)
    assert.doesNotMatch(
      elsewhere.page.text,
      /svc_man_\w/,
      'only the browser that replaced the keys sees them',
    )
    here.clock.advance({ seconds: 60 })
    await assertUnchanged(owner, await send({ keys: 'overlap' }))
    await assertUnchanged(owner, await send({ keys: 'overlap', generation: 'x' }))

    await owner.open(`${here.baseUrl}/account/projects/${tenant.id}/keys`)
    const next = await resultOf(owner, await keysForm(here, owner)({ keys: 'now' }))
    assert.notEqual(next.key, key)
    assert.equal((await tenant.call('GET', '/api/status', key)).status, 401)
    assert.equal((await tenant.call('GET', '/api/status', next.key ?? '')).status, 200)
  })
}

test('two presses at two instances claim once, replace the keys once and show the same keys', {
  skip: sqliteOnly,
}, async (t) => {
  const { here, tenant, owner, send } = await claimPage(t, 'postgres')
  const other = await world(t, { like: here })
  const approve = { decision: 'approve', keys: 'overlap' }
  const claimed = await Promise.all([send(approve), send(approve, other)])
  const claimedKeys = await Promise.all(
    claimed.map(async (response) => (await resultOf(owner, response)).key),
  )
  assert.equal(new Set(claimedKeys).size, 1)

  await owner.open(`${here.baseUrl}/account/projects/${tenant.id}/keys`)
  const replace = keysForm(here, owner)
  const replaced = await Promise.all([replace({ keys: 'now' }), replace({ keys: 'now' }, other)])
  const [one, two] = [await resultOf(owner, replaced[0]), await resultOf(owner, replaced[1])]
  assert.equal(one.key, two.key)
  assert.notEqual(one.key, claimedKeys[0])
  assert.equal((await tenant.call('GET', '/api/status', one.key ?? '')).status, 200)
  assert.equal((await tenant.call('GET', '/api/status', claimedKeys[0] ?? '')).status, 401)
})
