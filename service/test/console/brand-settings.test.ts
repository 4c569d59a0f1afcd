import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownError } from '../support/actors/browser.ts'
import { claim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { squarePng } from '../support/png.ts'
import { testDns } from '../support/transport/test-dns.ts'
import { world } from '../support/world.ts'

async function openSettings(t: Parameters<typeof world>[0]) {
  const { records, network } = testDns()
  const { agent, browser, baseUrl } = await world(t, {
    network,
    through: 'port',
  })
  const tenant = await agent.createTenant()
  const owner = browser()
  await claim(tenant, owner)
  const settings = `${baseUrl}/account/projects/${tenant.id}/settings/pages`
  await owner.open(settings)
  const upload = (png: Uint8Array | null, csrf = csrfOf(owner)): Promise<Response> => {
    const form = new FormData()
    form.append('csrf', csrf)
    form.append('logo', new Blob([new Uint8Array(png ?? [])]), png === null ? '' : 'logo.png')
    const cookie =
      owner.cookies.header({ url: new URL(settings), method: 'POST', sameSite: true }) ?? ''
    const headers = { Cookie: cookie, Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' }
    return fetch(`${settings}/logo`, { method: 'POST', body: form, headers, redirect: 'manual' })
  }
  /** The page that says why the file was rejected. */
  const rejected = async (png: Uint8Array | null) => {
    const response = await upload(png)
    assert.equal(response.status, 303)
    owner.cookies.keep(new URL(settings), response.headers.getSetCookie())
    await owner.open(settings)
    return owner.page
  }
  const brand = async () => (await tenant.manage('GET', '/api/social-login/brand')).json.brand
  const audit = async (): Promise<string[]> =>
    (await tenant.manage('GET', '/api/audit')).json.actions
      .filter(({ actor }: { actor: string }) => actor.startsWith('account:'))
      .map(({ action }: { action: string }) => action)
      .filter((action: string) => /^(brand|domain)\./.test(action))
  return { tenant, owner, records, upload, rejected, brand, audit, settings }
}

// proves C279
test('an owner verifies a domain on the page and sets name, color, links and logo', async (t) => {
  const { owner, records, upload, brand, audit, settings } = await openSettings(t)
  await owner.press('Add domain', { host: 'app.example.com' })
  const [value = ''] = /gatehouse-verification=[\w-]+/.exec(owner.page.text) ?? []
  assert.ok(owner.page.text.includes('_gatehouse.example.com'))
  await owner.press('Check now')
  assert.match(textOf(owner.page.text), /Neither the record nor the file was found/)
  records.set('_gatehouse.example.com', [[value]])
  await owner.press('Check now')
  assert.match(textOf(owner.page.text), /Found\. The domain is verified/)

  await owner.press('Save branding', {
    name: 'Ada’s Notes'.replace('’', "'"),
    privacy_url: 'https://example.com/privacy',
    accent: 'blue',
  })
  assert.deepEqual([owner.page.status, owner.page.url.hash], [200, '#brand'])
  const saved = await upload(squarePng(64))
  assert.equal(saved.status, 303, await saved.text())
  const { logo, shown_on, ...rest } = await brand()
  assert.deepEqual(rest, {
    name: "Ada's Notes",
    privacy_url: 'https://example.com/privacy',
    terms_url: null,
    accent: 'blue',
  })
  assert.deepEqual([logo.size, shown_on], [64, ['app.example.com']])
  await owner.open(settings)
  assert.ok(owner.page.text.includes(new URL(logo.url).pathname))
  await owner.press('Remove logo')
  assert.equal((await brand()).logo, null)
  await owner.press('Remove branding')
  assert.equal(await brand(), null)
  await owner.press('Remove')
  assert.doesNotMatch(owner.page.text, /gatehouse-verification/)
  assert.deepEqual(await audit(), [
    'domain.added',
    'domain.verified',
    'brand.changed',
    'brand.logo_changed',
    'brand.logo_deleted',
    'brand.deleted',
    'domain.deleted',
  ])
})

// proves C279
test('a rejected brand, logo or domain says what the API says and changes nothing', async (t) => {
  const { tenant, owner, upload, rejected, brand, audit, settings } = await openSettings(t)
  const refused = { name: 'Google', privacy_url: 'https://elsewhere.example/privacy' }
  const api = await tenant.manage('PUT', '/api/social-login/brand', refused)
  await owner.press('Save branding', { ...refused, terms_url: '' })
  assert.equal(owner.page.status, api.status)
  for (const { problem } of api.json.error.details.problems) {
    const said = problem.replace('this tenant', 'this project')
    assert.ok(owner.page.text.replaceAll('&quot;', '"').includes(`<p>${said}</p>`), said)
  }
  assert.match(
    owner.page.text,
    /id="brand-name"[^>]* value="Google"[^>]* aria-invalid="true" autofocus/,
  )
  await owner.press('Add domain', { host: 'not a host' })
  assert.equal(owner.page.status, 400)
  assert.match(
    owner.page.text,
    /id="domains-host"[^>]* value="not a host"[^>]* aria-invalid="true"/,
  )
  assert.equal((await rejected(squarePng(64))).status, 404, 'a logo needs a brand')
  assert.equal(
    (await rejected(Buffer.from('not a picture'))).status,
    404,
    'which is said before what is wrong with it',
  )

  await owner.open(settings)
  await owner.press('Save branding', { name: 'Notes' })
  const before = await brand()
  for (const [png, words] of [
    [null, /Choose a PNG file/],
    [squarePng(32), /A logo is a square of 64 to 512 pixels/],
    [Buffer.from('<svg></svg>'), /This logo cannot be used/],
    [Buffer.alloc(300_000), /This logo cannot be used/],
  ] as const) {
    const page = await rejected(png)
    assert.equal(page.status, 400)
    assert.match(textOf(page.text), words)
  }
  assert.equal((await upload(Buffer.alloc(2 * 1_024 * 1_024))).status, 413)
  assert.equal((await upload(squarePng(64), 'x')).status, 403, 'another CSRF token')
  const torn = await owner.request(`${settings}/logo`, {
    method: 'POST',
    body: '--x\r\nContent-Disposition: form-data; name="logo"',
    headers: {
      Accept: 'text/html',
      'Content-Type': 'multipart/form-data; boundary=x',
      'Sec-Fetch-Site': 'same-origin',
    },
  })
  assert.equal((await shownError(owner, torn)).status, 400)
  assert.deepEqual(await brand(), before)
  assert.deepEqual(await audit(), ['brand.changed'])
})
