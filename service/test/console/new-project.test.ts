import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInToAccount } from '../support/actors/account.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const KEY = /coh_management_key=(svc_man_\w+)/

for (const engine of ENGINES) {
  // proves C274
  test(`[${engine}] an owner creates a project with its callback URLs, and its key file is shown and works`, async (t) => {
    const { browser, baseUrl, clock } = await world(t, { through: 'port', engine })
    const owner = await signInToAccount(baseUrl, browser())
    await owner.follow('New project')
    const form = new URL(owner.page.url)
    const hidden = owner.page.text.matchAll(/name="(csrf|nonce)" value="([^"]+)"/g)
    const body = new URLSearchParams()
    for (const [, name = '', value = ''] of hidden) {
      body.set(name, value)
    }
    const fields = { name: 'Shop', callback_urls: 'https://shop.example.com/callback' }
    await owner.press('Create project', fields)
    assert.equal(owner.page.status, 200)
    const [, key = ''] = KEY.exec(owner.page.text) ?? []
    const id = /projects\/([^/]+)\/keys\/new$/.exec(owner.page.url.pathname)?.[1] ?? ''
    // biome-ignore lint/suspicious/noExplicitAny: the fields of three responses
    const call = async (path: string): Promise<any> =>
      (await fetch(baseUrl + path, { headers: { Authorization: `Bearer ${key}` } })).json()
    assert.deepEqual((await call('/api/resources')).resources[0].callback_urls, [
      'https://shop.example.com/callback',
    ])
    const status = await call('/api/status')
    assert.deepEqual([status.tenant_id, status.status], [id, 'claimed'])
    const { actions } = await call('/api/audit')
    assert.deepEqual(
      actions.map(
        ({ actor, action }: Record<string, string>) => `${actor?.split(':')[0]} ${action}`,
      ),
      ['account tenant.renamed', 'account social_login.provisioned'],
    )

    const file = await owner.request(`/mcp/tenants/${id}/credentials`)
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment/)
    assert.ok(owner.page.text.includes(await file.text()), 'the download is the file that is shown')
    for (const [name, value] of Object.entries(fields)) {
      body.set(name, value)
    }
    const again = await owner.request(form, {
      method: 'POST',
      body,
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    })
    assert.equal(
      again.headers.get('location'),
      `/account/projects/${id}/keys/new`,
      'a second press is the same project',
    )
    clock.advance({ minutes: 1 })
    await owner.open(owner.page.url)
    assert.doesNotMatch(owner.page.text, KEY)
    await owner.open(`${baseUrl}/account`)
    assert.equal(new Set(owner.page.text.match(/\/account\/projects\/[a-z-]+\w+/g)).size, 1)
    assert.match(textOf(owner.page.text), /Shop/)
  })
}

for (const engine of ENGINES) {
  test(`[${engine}] an account with as many projects as it may own is told so on the form, and the press creates nothing`, async (t) => {
    const { browser, baseUrl, app } = await world(t, { engine })
    const { stores } = app.ctx
    const owner = await signInToAccount(baseUrl, browser())
    const [account] = await stores.accounts.findByEmail('ada@example.com')
    await stores.accounts.setProjectLimit(account?.id ?? 0, 1)
    const fields = { name: 'Shop', callback_urls: 'https://shop.example.com/callback' }
    const create = async (): Promise<void> => {
      await owner.open(`${baseUrl}/account/new-project`)
      await owner.press('Create project', fields)
    }
    await create()
    assert.equal(owner.page.status, 200)
    await create()
    assert.equal(owner.page.status, 403)
    const alert =
      /<div class="notice problem" role="alert" tabindex="-1" autofocus>(.*?)<\/div>/s.exec(
        owner.page.text,
      )
    assert.match(textOf(alert?.[1] ?? ''), /An account may own 1 projects?/)
    assert.match(owner.page.text, /id="new-project-name"[^>]* value="Shop"/)
    assert.doesNotMatch(owner.page.text, KEY)
    const owned = await stores.ownership.ownedBy(account?.id ?? 0)
    assert.equal(owned.length, 1)

    await owner.open(`${baseUrl}/account/projects/${owned[0]?.id}/danger`)
    await owner.press('Delete', { confirm: owned[0]?.id ?? '' })
    await create()
    assert.equal(owner.page.status, 200, 'the refused press used up nothing')
  })
}

// proves C274
test('a project that cannot be created says why, keeps what was typed and creates nothing', async (t) => {
  const { browser, baseUrl, agent } = await world(t)
  const owner = await signInToAccount(baseUrl, browser())
  await agent.createTenant()
  await owner.open(`${baseUrl}/account/new-project`)
  await owner.press('Create project', {
    name: 'Shop',
    callback_urls: 'http://shop.example.com/callback',
  })
  assert.equal(owner.page.status, 400)
  assert.match(textOf(owner.page.text), /Line 1: http is allowed only for/)
  assert.match(owner.page.text, /id="new-project-name"[^>]* value="Shop"/)
  await owner.press('Create project', {
    name: 'x'.repeat(61),
    callback_urls: 'https://shop.example.com/callback',
  })
  assert.equal(owner.page.status, 400)
  assert.match(textOf(owner.page.text), /A name has at most 60 characters/)
  await owner.open(`${baseUrl}/account`)
  assert.match(textOf(owner.page.text), /No projects yet/)
  const stranger = browser()
  await stranger.open(`${baseUrl}/account/new-project`)
  assert.ok(!stranger.page.text.includes('Create project'))
})
