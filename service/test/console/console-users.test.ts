import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInToAccount } from '../support/actors/account.ts'
import type { Tenant } from '../support/actors/agent.ts'
import { claim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { decode, readControls } from '../support/actors/html-controls.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { type World, world } from '../support/world.ts'

/** A claimed project with Ada and Grace as users, and its owner's browser. */
async function ownedProject(service: World) {
  const { agent, browser, baseUrl } = service
  const tenant = await agent.createTenant()
  const ada = await tenant.signIn(browser(), 'Ada Lovelace')
  const grace = await tenant.signIn(browser(), 'Grace Hopper')
  const owner = browser()
  await claim(tenant, owner, 'Alan Turing')
  return { tenant, ada, grace, owner, users: `${baseUrl}/account/projects/${tenant.id}/users` }
}

const actionsOf = async ({ app }: World, tenant: Tenant): Promise<string[]> =>
  (await app.ctx.stores.audit.page(tenant.id, 0, 100))
    .filter(({ action }) => /^(user|session)/.test(action))
    .map(({ actor, action, target }) =>
      `${actor.split(':')[0]} ${action} ${target ?? ''}`.trimEnd(),
    )

const importUsers = async ({ agent }: World, { key }: Tenant, count: number): Promise<void> => {
  const body = Array.from({ length: count }, (_, at) =>
    JSON.stringify({ subject: `s${at}`, email: `imported-${at}@example.com` }),
  ).join('\n')
  const headers = { 'Content-Type': 'application/x-ndjson' }
  const response = await agent.call('POST', '/api/social-login/import', { key, body, headers })
  assert.equal(response.json.created, count, response.text)
}

for (const engine of ENGINES) {
  // proves C267
  test(`[${engine}] users are searched by any part of name or address, sorted and listed in pages, and exported as the API exports them`, async (t) => {
    const service = await world(t, { engine })
    const { tenant, owner, users } = await ownedProject(service)
    await importUsers(service, tenant, 30)
    const ids = () =>
      [...owner.page.text.matchAll(/<td class="number[^"]*">(\d+)<\/td>/g)].map(([, id]) =>
        Number(id),
      )
    await owner.open(users)
    assert.match(owner.page.text, /32 users, newest first/)
    const first = ids()
    await owner.follow('Older')
    assert.deepEqual(
      [...first, ...ids()],
      Array.from({ length: 32 }, (_, at) => 32 - at),
    )
    await owner.press('Search', { q: 'GRACE' })
    assert.match(owner.page.text, /1 user found/)
    assert.deepEqual(ids(), [2])
    await owner.press('Search', { q: 'Hopp' })
    assert.deepEqual(ids(), [2], 'any part of the name')
    await owner.press('Search', { q: 'RTED-1@' })
    assert.deepEqual(ids(), [4], 'any part of the address')
    await owner.press('Search', { q: 'mary@' })
    assert.match(owner.page.text, /No user matches/)
    await owner.open(`${users}?sort=name`)
    assert.deepEqual(ids().slice(0, 3), [1, 2, 3], 'by name, users without one last')
    await owner.follow('Next page')
    assert.deepEqual(ids(), [26, 27, 28, 29, 30, 31, 32])

    const exported = async (format: string) => {
      const response = await owner.request(`${users}/export`, {
        method: 'POST',
        body: new URLSearchParams({ csrf: csrfOf(owner), format }),
      })
      return [response.status, response.headers.get('content-disposition'), await response.text()]
    }
    for (const format of ['csv', 'ndjson']) {
      const { text } = await tenant.manage('GET', `/api/social-login/export?format=${format}`)
      assert.deepEqual(await exported(format), [
        200,
        `attachment; filename="users.${format}"`,
        text,
      ])
    }
    assert.equal((await exported('xml'))[0], 400)
    assert.deepEqual(
      (await actionsOf(service, tenant)).filter((action) => action.includes('exported')),
      [
        'key users.exported',
        'account users.exported',
        'key users.exported',
        'account users.exported',
      ],
    )
  })
}

// proves C269
test("an owner ends all sessions of a user, blocks, unblocks and deletes them, each audited as the owner's action", async (t) => {
  const service = await world(t)
  const { tenant, ada, grace, owner, users } = await ownedProject(service)
  const valid = async () => [
    await tenant.isValid(ada.access_token),
    await tenant.isValid(grace.access_token),
  ]
  await owner.open(`${users}/1`)
  assert.match(textOf(owner.page.text), /Ada Lovelace .*Email address ada@example\.com.*Google: /)

  await owner.press('End all sessions')
  assert.match(owner.page.text, /All sessions ended/)
  assert.deepEqual(await valid(), [false, true])
  await owner.press('Block')
  assert.match(owner.page.text, /User blocked/)
  assert.equal((await tenant.users()).length, 2)
  await owner.open(`${users}?blocked=true`)
  assert.match(owner.page.text, /1 user found/)
  assert.ok(!owner.page.text.includes('grace@example.com'))
  await owner.open(`${users}/1`)
  await owner.press('Unblock')
  const again = await tenant.signIn(service.browser(), 'Ada Lovelace')

  await owner.open(`${users}/1`)
  await owner.press('Delete user')
  assert.deepEqual([owner.page.status, await tenant.isValid(again.access_token)], [400, true])
  assert.match(owner.page.text, /Check the box to confirm\. Nothing was deleted/)
  await owner.press('Delete user', { confirm: 'yes' })
  assert.match(owner.page.text, /User deleted/)
  assert.equal(await tenant.isValid(again.access_token), false)
  assert.deepEqual(
    (await tenant.users()).map(({ email }) => email),
    ['grace@example.com'],
  )
  await owner.open(`${users}/1`)
  assert.equal(owner.page.status, 404)
  await owner.open(`${users}/2`)
  await owner.press('End this session')
  assert.equal(
    owner.page.url.pathname,
    new URL(`${users}/2`).pathname,
    'back on the page of the user',
  )
  assert.deepEqual(await valid(), [false, false])
  assert.deepEqual(await actionsOf(service, tenant), [
    'account user.sessions_ended user:1',
    'account user.blocked user:1',
    'account user.unblocked user:1',
    'account user.deleted user:1',
    `account session.ended session:${(await sessionTargets(service, tenant)).at(-1)}`,
  ])
})

// proves C270, C325
test('an owner merges two users and removes an identity on the page of the user; what is refused is said beside the field and changes nothing', async (t) => {
  const service = await world(t)
  const { tenant, ada, grace, owner, users } = await ownedProject(service)
  const identities = async () => {
    const { json } = await tenant.manage('GET', '/api/social-login/users/1?include=identities')
    return json.user.identities.map(({ email }: { email: string }) => email)
  }
  await owner.open(`${users}/1`)
  for (const [fields, status, problem] of [
    [{ from: '2' }, 400, /Check the box to confirm\. Nothing was merged/],
    [{ from: 'Grace', confirm: 'yes' }, 400, /id="merge-from-problem"/],
    [
      { from: '1', confirm: 'yes' },
      409,
      /id="merge-from-problem"><p>A user cannot be merged with itself\./,
    ],
    [
      { from: '9', confirm: 'yes' },
      404,
      /id="merge-from-problem"><p>This project has no user with this id\./,
    ],
  ] as const) {
    await owner.press('Merge users', fields)
    assert.equal(owner.page.status, status, JSON.stringify(fields))
    assert.match(owner.page.text, problem)
    assert.equal(
      owner.page.url.pathname,
      new URL(`${users}/1`).pathname,
      'the response to the POST is a redirect',
    )
  }
  assert.equal((await tenant.users()).length, 2)
  await owner.press('Merge users', { from: '2', confirm: 'yes' })
  assert.match(owner.page.text, /Users merged\. The other user is deleted\./)
  assert.deepEqual(await identities(), ['ada@example.com', 'grace@example.com'])
  assert.deepEqual(
    [await tenant.isValid(ada.access_token), await tenant.isValid(grace.access_token)],
    [true, false],
  )

  const [pin] = readControls(owner.page.text).forms.filter(({ action }) =>
    action.endsWith('/pin-identity'),
  )
  const pinning = new URLSearchParams(pin?.fields as [string, string][])
  await owner.request(`${users}/1/pin-identity`, { method: 'POST', body: pinning })
  await owner.open(`${users}/1?done=identity-pinned`)
  assert.match(owner.page.text, /Identity pinned\./)
  const pinnedFirst = async (): Promise<boolean> =>
    (await tenant.manage('GET', '/api/social-login/users/1?include=identities')).json.user
      .identities[0].pinned
  assert.equal(await pinnedFirst(), true)
  await owner.press('Unpin')
  assert.match(owner.page.text, /Identity no longer pinned\./)
  assert.equal(await pinnedFirst(), false)
  const removed = readControls(owner.page.text).forms.filter(({ action }) =>
    action.endsWith('/remove-identity'),
  )
  assert.equal(removed.length, 2, 'each of several identities has a button')
  const body = new URLSearchParams(removed[1]?.fields as [string, string][])
  for (const done of ['identity-removed', null]) {
    const response = await owner.request(`${users}/1/remove-identity`, { method: 'POST', body })
    assert.deepEqual(
      [
        response.status,
        new URL(response.headers.get('location') ?? '', users).searchParams.get('done'),
      ],
      [303, done],
    )
  }
  await owner.open(`${users}/1`)
  assert.match(
    owner.page.text,
    /This user has no identity at this provider\./,
    'the second press is refused',
  )
  assert.ok(!owner.page.text.includes('Remove this identity'), 'the only identity stays')
  assert.deepEqual(
    [await identities(), await tenant.isValid(ada.access_token)],
    [['ada@example.com'], false],
  )
  assert.deepEqual(await actionsOf(service, tenant), [
    'account user.merged user:1',
    'account user.deleted user:2',
    'account user.identity_pinned user:1',
    'account user.identity_pinned user:1',
    'account user.identity_removed user:1',
  ])
})

test('an owner replaces the claims of a user, checked as by the API, and ends their sessions if they ask for it', async (t) => {
  const service = await world(t)
  const { tenant, owner, users } = await ownedProject(service)
  const read = async () =>
    (await tenant.manage('GET', '/api/social-login/users/1?include=claims')).json.user.claims
  const sessions = async () =>
    (await tenant.manage('GET', '/api/social-login/users/1/sessions')).json.sessions.length
  await owner.open(`${users}/1`)
  for (const [text, problem] of [
    ['{"role":', /Not valid JSON\./],
    ['{"sub":"2"}', /sub: This name is reserved\. Choose another\./],
  ] as const) {
    await owner.press('Save claims', { claims: text })
    assert.equal(owner.page.status, 400, text)
    assert.match(owner.page.text, problem)
    assert.ok(owner.page.text.includes(text.replaceAll('"', '&quot;')), 'the typed text stays')
  }
  const before = await sessions()
  await owner.press('Save claims', { claims: '{"role":"admin"}' })
  assert.match(owner.page.text, /Claims saved/)
  assert.deepEqual([await read(), await sessions()], [{ role: 'admin' }, before])
  await owner.press('Save claims', { claims: '', end_sessions: 'yes' })
  assert.deepEqual([await read(), await sessions()], [{}, 0])
  assert.deepEqual(
    await actionsOf(service, tenant),
    Array(2).fill('account user.claims_changed user:1'),
  )
})

// proves C272
test('metadata is checked as by the API, and a change that another request made meanwhile is not lost', async (t) => {
  const service = await world(t)
  const { tenant, owner, users } = await ownedProject(service)
  const stored = async () =>
    (await tenant.manage('GET', '/api/social-login/users/1/metadata')).json.metadata
  await owner.open(`${users}/1`)
  for (const [text, problem] of [
    ['{"plan":', /Not valid JSON\./],
    ['[1]', /Nothing was saved/],
    ['{"a":{"b":{"c":{"d":{}}}}}', /Nest at most 4 levels\./],
  ] as const) {
    await owner.press('Save metadata', { metadata: text })
    assert.equal(owner.page.status, 400, text)
    assert.match(owner.page.text, problem)
    assert.ok(owner.page.text.includes(text.replaceAll('"', '&quot;')), 'the typed text stays')
  }
  await owner.press('Save metadata', { metadata: '{"plan":"pro"}' })
  assert.match(owner.page.text, /Metadata saved/)
  assert.deepEqual(await stored(), { plan: 'pro' })

  await tenant.manage('PUT', '/api/social-login/users/1/metadata', { metadata: { plan: 'team' } })
  await owner.press('Save metadata', { metadata: '{"plan":"free"}' })
  assert.equal(owner.page.status, 412)
  assert.match(owner.page.text, /changed since you opened this page/)
  assert.deepEqual(await stored(), { plan: 'team' })
  await owner.press('Save metadata')
  assert.deepEqual(await stored(), { plan: 'free' }, 'the second press is a decision')
  assert.deepEqual(await actionsOf(service, tenant), [
    'account user.metadata_changed user:1',
    'key user.metadata_changed user:1',
    'account user.metadata_changed user:1',
  ])
})

const sessionTargets = async ({ app }: World, tenant: Tenant): Promise<string[]> =>
  (await app.ctx.stores.audit.page(tenant.id, 0, 100))
    .filter(({ action }) => action === 'session.ended')
    .map(({ target }) => target?.split(':')[1] ?? '')

test('the page of a user shows the response that verify gives the app', async (t) => {
  const { tenant, ada, owner, users } = await ownedProject(await world(t))
  const { json } = await tenant.edge('verify', { access_token: ada.access_token })
  await owner.open(`${users}/1`)
  const [, shown = ''] =
    /aria-label="The response of verify"[^>]*>(.*?)<\/pre>/s.exec(owner.page.text) ?? []
  assert.deepEqual(JSON.parse(decode(textOf(shown))), json)
})

// proves C271
test('the page of a user shows their claims, identities and invitations, and when each session was last refreshed, but no device', async (t) => {
  const service = await world(t)
  const { tenant, ada, owner, users } = await ownedProject(service)
  const claims = { claims: { role: 'editor' } }
  assert.equal((await tenant.manage('PUT', '/api/social-login/users/1/claims', claims)).status, 200)
  for (const email of ['Ada@example.com', 'grace@example.com']) {
    assert.equal(
      (await tenant.manage('POST', '/api/social-login/invitations', { email })).status,
      201,
    )
  }
  service.clock.advance({ hours: 5 })
  await tenant.refresh(ada.refresh_token)
  service.clock.advance({ hours: 2 })
  await owner.open(`${users}/1`)
  const shown = textOf(owner.page.text)
  assert.match(
    owner.page.text,
    /<textarea[^>]* name="claims"[^>]*>[^<]*&quot;role&quot;: ?&quot;editor&quot;/,
  )
  assert.match(
    shown,
    /Provider Email address Last seen Action Google: \S+ \S+ ada@example\.com 2 hours ago/,
  )
  assert.match(shown, /Invitation Open, expires in 7 days/)
  assert.equal(
    shown.match(/Invitation /g)?.length,
    1,
    'those of other addresses are on the settings page',
  )
  assert.match(shown, /Started Last refreshed Expires Action 7 hours ago .{0,40} 2 hours ago/)
  await owner.open(users.replace(/users$/, 'sessions'))
  assert.match(textOf(owner.page.text), /ada@example\.com 7 hours ago .{0,40} 2 hours ago/)
  assert.doesNotMatch(owner.page.text + shown, /Firefox|Chrome|Mozilla|127\.0\.0\.1/)
})

// proves C291
test('another owner sees and changes no user, and exports none', async (t) => {
  const service = await world(t)
  const { tenant, ada, users } = await ownedProject(service)
  const stranger = await signInToAccount(service.baseUrl, service.browser(), 'Grace Hopper')
  const csrf = csrfOf(stranger)
  for (const path of ['', '/1']) {
    await stranger.open(users + path)
    assert.equal(stranger.page.status, 404)
    assert.ok(!stranger.page.text.includes('ada@example.com'))
  }
  for (const path of [
    '/export',
    '/1/end-sessions',
    '/1/block',
    '/1/metadata',
    '/1/merge',
    '/1/remove-identity',
    '/1/pin-identity',
    '/1/delete',
  ]) {
    const body = new URLSearchParams({
      csrf,
      format: 'csv',
      confirm: 'yes',
      metadata: '{}',
      from: '2',
      provider: 'google',
    })
    assert.equal((await stranger.request(users + path, { method: 'POST', body })).status, 404, path)
  }
  assert.equal(await tenant.isValid(ada.access_token), true)
  assert.deepEqual(await actionsOf(service, tenant), [])
})

for (const engine of ENGINES) {
  test(`[${engine}] a malformed id, page or search shows a page and no internal error`, async (t) => {
    const { owner, users } = await ownedProject(await world(t, { engine }))
    for (const [path, status] of [
      ['/0', 404],
      ['/x', 404],
      ['/99999999999999999999', 404],
      ['?after=x&q=a&blocked=maybe', 200],
      [`?q=${'x'.repeat(300)}`, 200],
      ['?q=%00', 200],
    ] as const) {
      await owner.open(users + path)
      assert.equal(owner.page.status, status, path)
    }
    assert.ok(readControls(owner.page.text).forms.length > 0)
  })
}
