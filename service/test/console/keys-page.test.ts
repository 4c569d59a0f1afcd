import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInToAccount } from '../support/actors/account.ts'
import type { Browser } from '../support/actors/browser.ts'
import { claim, openClaim, requestClaim } from '../support/actors/claim.ts'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { assertPageSecurity } from '../support/actors/page-security.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

/** The cells of the table of keys. */
const keyRows = ({ page }: Browser): string[][] =>
  [...page.text.matchAll(/<tr>\s*<td class="who">(.*?)<\/tr>/gs)].map(([, row = '']) =>
    row.split('<td>').map((cell) => textOf(cell).replaceAll(' ,', ',').trim()),
  )

const fileIn = ({ page }: Browser): string =>
  /<pre [^>]*><code>(.*?)<\/code>/s.exec(page.text)?.[1] ?? 'none'

for (const engine of ENGINES) {
  // proves C273
  test(`[${engine}] the Keys tab shows each key, when it was created and last used, and writes the use once an hour`, async (t) => {
    const { agent, browser, baseUrl, clock, app } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const owner = browser()
    await claim(tenant, owner)
    await app.flush()
    const open = async (): Promise<string[][]> => {
      await app.flush()
      await owner.open(`${baseUrl}/account/projects/${tenant.id}/keys`)
      return keyRows(owner)
    }
    const uses = async () =>
      (await app.ctx.stores.tenants.listKeys(tenant.id, clock.now())).map(
        ({ lastUsedAt }) => lastUsedAt,
      )
    const [management = [], application = []] = await open()
    const [, id] =
      /^Management key Active svc_man_…, id (\S{8}), from before your claim$/.exec(
        management[0] ?? '',
      ) ?? []
    const { actions } = (await tenant.manage('GET', '/api/audit')).json
    assert.ok(
      actions.some(({ actor }: { actor: string }) => actor === `key:${id}`),
      'the audit has its id',
    )
    assert.equal(management[2], 'In the last hour')
    assert.match(application[0] ?? '', /^Application key Active svc_app_…, id /)
    assert.equal(application[2], 'Never')

    const first = await uses()
    clock.advance({ minutes: 59 })
    await tenant.manage('GET', '/api/status')
    await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`)
    await app.flush()
    assert.equal((await uses())[0], first[0], 'no second write in the hour')
    assert.equal((await open())[1]?.[2], 'In the last hour')
    clock.advance({ minutes: 61 })
    assert.match((await open())[0]?.[2] ?? '', /^2 hours ago/)
    await tenant.manage('GET', '/api/status')
    assert.equal((await open())[0]?.[2], 'In the last hour')
    clock.advance({ minutes: 61 })
    assert.match((await open())[0]?.[2] ?? '', /^1 hour ago/)
    const credentials = { tenant_id: tenant.id, coh_management_key: tenant.key }
    await new RawMcpClient(agent).call('tenant_status', credentials)
    assert.equal((await open())[0]?.[2], 'In the last hour', 'an agent sends it as an argument')

    await owner.press('Replace keys')
    const rows = (await open()).map(([name = '', , used = '']) => [
      name.replace(/ svc.*, id \S{8}/, ''),
      used.replace(/ \d+ \w+ \d{4}, .*/, ''),
    ])
    const ends = 'stops working in 1 day, from before your claim'
    assert.deepEqual(rows, [
      ['Management key Active', 'Never'],
      ['Application key Active', 'Never'],
      [`Management key Replaced, ${ends}`, 'In the last hour'],
      [`Application key Replaced, ${ends}`, '2 hours ago'],
    ])
  })

  test(`[${engine}] a key that is sent where the other kind belongs has not been used`, async (t) => {
    const { agent, app, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await app.flush()
    const uses = async () =>
      (await app.ctx.stores.tenants.listKeys(tenant.id, clock.now())).map(
        ({ lastUsedAt }) => lastUsedAt,
      )
    const before = await uses()
    clock.advance({ hours: 2 })
    assert.equal((await tenant.call('GET', '/api/status', tenant.applicationKey)).status, 403)
    assert.equal((await agent.call('POST', `/edge/session?key=${tenant.key}`)).status, 403)
    await app.flush()
    assert.deepEqual(await uses(), before)
    assert.equal((await tenant.call('GET', '/api/status', tenant.key)).status, 200)
    await app.flush()
    assert.deepEqual(await uses(), [clock.now(), before[1]])
  })

  // proves C273
  test(`[${engine}] replaced keys are shown with a download for a minute; a reload replaces nothing`, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const owner = browser()
    await claim(tenant, owner)
    const keys = `${baseUrl}/account/projects/${tenant.id}/keys`
    await owner.open(keys)
    assert.match(textOf(owner.page.text), /was shown once and isn’t stored here/)
    assert.doesNotMatch(owner.page.text, /keys\/file/)
    await owner.press('Replace keys')
    assertPageSecurity('new keys', owner.page, 200, { scripts: true })
    assert.match(textOf(owner.page.text), /This is shown once/)
    const shown = fileIn(owner)
    const file = await owner.request(`${keys}/file`)
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="\.service"/)
    assert.equal(file.headers.get('cache-control'), 'no-store')
    assert.equal(await file.text(), shown, 'the download is the file that is shown')
    for (let time = 0; time < 2; time++) {
      await owner.open(owner.page.url)
      assert.equal(fileIn(owner), shown)
    }

    const stranger = await signInToAccount(baseUrl, browser(), 'Grace Hopper')
    assert.equal((await stranger.request(`${keys}/file`)).status, 404)
    const other = await signInToAccount(baseUrl, browser())
    assert.equal((await other.request(`${keys}/file`)).status, 303, 'another session of the owner')
    clock.advance({ minutes: 1 })
    assert.equal(
      (await owner.request(`${keys}/file`)).headers.get('location'),
      `${new URL(keys).pathname}?done=keys-hidden`,
    )
    await owner.open(`${keys}/new`)
    assert.match(textOf(owner.page.text), /New keys are shown for a minute/)
    assert.equal(keyRows(owner).length, 4, 'two pairs: the reload replaced nothing')
  })

  test(`[${engine}] the new keys of a claim can be downloaded for a minute`, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const owner = browser()
    await openClaim(owner, await requestClaim(tenant))
    await owner.press('Approve', { keys: 'now' })
    const shown = fileIn(owner)
    assert.match(shown, /svc_man_/)
    const path = `${baseUrl}/account/projects/${tenant.id}/keys/file`
    assert.equal(await (await owner.request(path)).text(), shown)
    clock.advance({ minutes: 1 })
    assert.equal((await owner.request(path)).status, 303)
  })

  test(`[${engine}] keys that are replaced in the minute after the creation are the ones that are shown`, async (t) => {
    const { browser, baseUrl, clock } = await world(t, { engine })
    const owner = await signInToAccount(baseUrl, browser())
    await owner.follow('New project')
    await owner.press('Create project', {
      name: '',
      callback_urls: 'https://shop.example.com/callback',
    })
    const [created, path] = [fileIn(owner), owner.page.url.pathname.replace('/new', '')]
    assert.match(textOf(owner.page.text), /You can download this file again/)
    assert.doesNotMatch(textOf(owner.page.text), /shown once/)
    await owner.open(baseUrl + path)
    await owner.press('Replace keys', { keys: 'now' })
    const replaced = fileIn(owner)
    assert.notEqual(replaced, created)
    assert.match(textOf(owner.page.text), /The old keys no longer work/)
    clock.advance({ hours: 2 })
    await owner.open(baseUrl + path)
    assert.match(owner.page.text, /keys\/file/)
    assert.equal(
      await (await owner.request(`${path}/file`)).text(),
      replaced,
      'the copy that is kept has the new keys',
    )
  })
}
