import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser } from '../support/actors/browser.ts'
import { claim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { type World, world } from '../support/world.ts'

/** A claimed project with the owner on its settings. */
async function openSettings({ agent, browser, baseUrl }: World) {
  const tenant = await agent.createTenant()
  const owner = browser()
  await claim(tenant, owner)
  const open = (page: string) =>
    owner.open(`${baseUrl}/account/projects/${tenant.id}/settings/${page}`)
  await open('callbacks')
  const registered = async (): Promise<string[]> =>
    (await tenant.manage('GET', '/api/resources')).json.resources[0]?.callback_urls
  const actions = async (): Promise<string[]> =>
    (await tenant.manage('GET', '/api/audit')).json.actions.map(
      ({ actor, action, target }: { actor: string; action: string; target: string | null }) =>
        `${actor.split(':')[0]} ${action} ${target ?? ''}`.trim(),
    )
  return { tenant, owner, open, registered, actions }
}

const fieldOf = ({ page }: Browser, name: string): string =>
  new RegExp(`<textarea[^>]* name="${name}"[^>]*>\n([^<]*)`).exec(page.text)?.[1] ?? ''

test('an owner replaces the callback URLs of a project, and logins follow them at once', async (t) => {
  const { owner, registered, actions, tenant } = await openSettings(await world(t))
  const before = await registered()
  assert.deepEqual(fieldOf(owner, 'callback_urls').split('\n'), before)
  const lines = ['  https://new.example.com/callback ', '', 'http://localhost/back']
  await owner.press('Save callback URLs', { callback_urls: lines.join('\r\n') })
  assert.deepEqual([owner.page.status, owner.page.url.hash], [200, '#callbacks'])
  assert.match(
    owner.page.text,
    /class="saved" role="status">Callback URLs saved\./,
    'beside its button',
  )
  assert.deepEqual(await registered(), [
    'https://new.example.com/callback',
    'http://localhost/back',
  ])
  assert.equal((await actions()).at(-1), 'account social_login.provisioned')
  await owner.open(`${tenant.loginUrl}?redirect_uri=${encodeURIComponent(before[0] ?? '')}`)
  assert.equal(owner.page.status, 400)
})

// proves C275
test('a rejected setting says at its field what the API says, keeps what was typed and changes nothing', async (t) => {
  const { owner, open, registered, actions, tenant } = await openSettings(await world(t))
  const [before, changes] = [await registered(), await actions()]
  const lines = ['https://app.example.com/callback', 'http://app.example.com/<b>']
  const api = await tenant.manage('POST', '/api/resources/social-login', { callback_urls: lines })
  await owner.press('Save callback URLs', { callback_urls: lines.join('\n') })
  assert.equal(owner.page.status, 400)
  const [{ problem }] = api.json.error.details.problems
  assert.ok(
    owner.page.text.replaceAll('&quot;', '"').includes(`<p>Line 2: ${problem}</p>`),
    problem,
  )
  assert.match(
    owner.page.text,
    /<textarea id="callbacks-callback_urls"[^>]* aria-invalid="true" autofocus/,
  )
  assert.equal(
    fieldOf(owner, 'callback_urls'),
    'https://app.example.com/callback\nhttp://app.example.com/&lt;b&gt;',
  )

  await open('access')
  await owner.press('Save who can sign in', {
    allowed_domains: 'not a domain',
    allowed_emails: 'Ada@example.com',
  })
  assert.equal(owner.page.status, 400)
  assert.match(textOf(owner.page.text), /Line 1: Enter a domain such as/)
  assert.equal(fieldOf(owner, 'allowed_emails'), 'Ada@example.com')
  await open('tokens')
  await owner.press('Save tokens', { refresh_leeway_seconds: '-1' })
  assert.equal(owner.page.status, 400)
  assert.match(
    owner.page.text,
    /name="refresh_leeway_seconds" type="number" value="-1"[^>]* aria-invalid="true"/,
  )
  assert.deepEqual([await registered(), await actions()], [before, changes])
})

// proves C215
test('one press switches ID tokens on for Supabase, Convex or Neon and shows the lines to paste there', async (t) => {
  const { owner, open, actions, tenant } = await openSettings(await world(t))
  const settings = async () =>
    (await tenant.manage('GET', '/api/social-login/settings')).json.id_tokens
  await open('tokens')
  await owner.press('Switch on for Convex')
  assert.deepEqual([owner.page.status, owner.page.url.hash], [200, '#other-systems'])
  assert.deepEqual(await settings(), { audiences: ['convex'], claims: {} })
  const issuer = new URL(`/edge/auth/${tenant.id}`, owner.page.url).pathname
  assert.match(
    textOf(owner.page.text),
    new RegExp(`domain: &#39;\\S*${issuer}&#39;, applicationID`),
  )
  await owner.press('Switch on for Supabase')
  await owner.press('Switch on for Neon')
  const all = {
    audiences: ['convex', 'authenticated', 'neon'],
    claims: { role: 'authenticated' },
  }
  assert.deepEqual(await settings(), all)
  assert.match(textOf(owner.page.text), new RegExp(`${issuer}/\\.well-known/jwks\\.json`))
  assert.equal(owner.page.text.includes('Switch on for'), false)

  const changes = await actions()
  await owner.press('Save ID tokens', { audiences: 'two words', claims: '{"sub":"1"}' })
  assert.equal(owner.page.status, 400)
  await owner.press('Save ID tokens', { audiences: 'two words', claims: '{}' })
  assert.match(textOf(owner.page.text), /Line 1: Enter 1 to 200 visible ASCII characters/)
  assert.deepEqual([await settings(), await actions()], [all, changes])
  await owner.press('Save ID tokens', { audiences: 'mine', claims: '{"team":"a"}' })
  assert.deepEqual(await settings(), { audiences: ['mine'], claims: { team: 'a' } })
  await owner.press('Switch off')
  assert.equal(await settings(), null)
  assert.equal((await actions()).at(-1), 'account settings.changed id_tokens')
})

test('an owner sets who can sign in and how the app gets its tokens', async (t) => {
  const { owner, open, actions, tenant } = await openSettings(await world(t))
  await open('access')
  const emails = Array.from(
    { length: 500 },
    (_, index) => `person+${index}@${'long.'.repeat(40)}example.com`,
  )
  await owner.press('Save who can sign in', {
    allowed_domains: 'Example.com',
    allowed_emails: emails.join('\r\n'),
  })
  assert.deepEqual([owner.page.status, owner.page.url.hash], [200, '#access'])
  await open('tokens')
  await owner.press('Save tokens', { callback_mode: 'code', refresh_leeway_seconds: '30' })
  assert.deepEqual([owner.page.status, owner.page.url.hash], [200, '#tokens'])
  await open('pages')
  await owner.press('Save consent', { remember_consent: 'yes' })
  const { json: settings } = await tenant.manage('GET', '/api/social-login/settings')
  assert.deepEqual(
    { ...settings, allowed_emails: settings.allowed_emails.length },
    {
      refresh_leeway_seconds: 30,
      callback_mode: 'code',
      remember_consent: true,
      allowed_domains: ['example.com'],
      allowed_emails: 500,
      first_user_claims: null,
      admission: 'open',
      id_tokens: null,
    },
  )
  assert.deepEqual((await actions()).slice(-3), [
    'account settings.changed admission allowed_domains allowed_emails',
    'account settings.changed callback_mode refresh_leeway_seconds',
    'account settings.changed remember_consent',
  ])
})

// proves C196
test('an owner closes a project, creates an invitation, copies its link once, and deletes it', async (t) => {
  const service = await world(t)
  const { owner, open, actions, tenant } = await openSettings(service)
  await open('access')
  await owner.press('Save who can sign in', { admission: 'invited' })
  assert.match(
    textOf(owner.page.text),
    /Existing users, the accounts below and people with an invitation can sign in\./,
  )
  await owner.press('Create invitation', {
    email: 'grace',
    uses: '1',
    expires_in: '3',
    role: 'editor',
  })
  assert.equal(owner.page.status, 400)
  assert.match(owner.page.text, /value="grace"/)
  await owner.press('Create invitation', {
    email: 'grace@example.com',
    uses: '1',
    expires_in: '3',
    role: 'editor',
  })
  const [link = ''] = /https?:\/\/[^\s"<]+\?invitation=svc_in_[\w-]{43}/.exec(owner.page.text) ?? []
  assert.match(textOf(owner.page.text), /shown only once\. We don’t send mail/)
  const [invitation] = (await tenant.manage('GET', '/api/social-login/invitations')).json
    .invitations
  assert.deepEqual(
    [invitation.email, invitation.claims, invitation.uses],
    ['grace@example.com', { role: 'editor' }, 1],
  )
  assert.equal(Date.parse(invitation.expires_at) - service.clock.now(), 3 * 24 * 3_600_000)

  const person = service.browser()
  await person.open(link)
  await person.press('Grace Hopper')
  assert.ok((await person.press('Continue')).searchParams.has('access_token'))
  await owner.open(new URL(owner.page.url.pathname, service.baseUrl).href)
  assert.match(textOf(owner.page.text), /grace@example\.com 1 of 1 Used/)
  assert.ok(!owner.page.text.includes('svc_in_'), 'the link is shown once')
  await owner.press('Delete', { invitation: invitation.id })
  assert.deepEqual(
    (await tenant.manage('GET', '/api/social-login/invitations')).json.invitations,
    [],
  )
  assert.deepEqual((await actions()).slice(-3), [
    'account settings.changed admission allowed_domains allowed_emails',
    `account invitation.created ${invitation.id}`,
    `account invitation.deleted ${invitation.id}`,
  ])
})

test('a project without callback URLs offers only those, and gets the other settings with them', async (t) => {
  const service = await world(t)
  const { owner, open, tenant } = await openSettings(service)
  await tenant.manage('DELETE', '/api/resources/social-login')
  for (const page of ['access', 'pages', 'tokens', 'providers']) {
    await open(page)
    assert.match(textOf(owner.page.text), /Available after you register a callback URL/, page)
  }
  await owner.follow('register a callback URL')
  await owner.press('Save callback URLs', { callback_urls: '' })
  assert.equal(owner.page.status, 400)
  assert.match(textOf(owner.page.text), /Give at least one callback URL/)
  await owner.press('Save callback URLs', { callback_urls: 'https://*.vercel.app/callback' })
  assert.match(textOf(owner.page.text), /Anyone can get a name under/)
  await open('tokens')
  assert.match(owner.page.text, /Save tokens/)
})

// proves C276
test('a rejected form redirects to its page, which shows it once: Back and Reload repeat no POST', async (t) => {
  const service = await world(t)
  const { owner, open } = await openSettings(service)
  const address = owner.page.url
  const body = new URLSearchParams({
    csrf: csrfOf(owner),
    callback_urls: 'http://app.example.com/x',
  })
  const posted = await owner.request(address, {
    method: 'POST',
    body,
    headers: { Origin: service.baseUrl },
  })
  assert.deepEqual([posted.status, posted.headers.get('location')], [303, address.pathname])
  const cookie =
    posted.headers.getSetCookie().find((each) => each.startsWith('gatehouse_form=')) ?? ''
  assert.match(cookie, /Max-Age=60; Path=\/; HttpOnly; SameSite=Strict/)
  assert.doesNotMatch(decodeURIComponent(cookie), /app\.example/, 'it is sealed')
  await open('access')
  assert.equal(owner.page.status, 200, 'another page does not take it')
  await open('callbacks')
  assert.deepEqual(
    [owner.page.status, fieldOf(owner, 'callback_urls')],
    [400, 'http://app.example.com/x'],
  )
  await owner.open(owner.page.url)
  assert.equal(owner.page.status, 200)
  assert.doesNotMatch(owner.page.text, /aria-invalid/)

  await owner.request(address, { method: 'POST', body, headers: { Origin: service.baseUrl } })
  service.clock.advance({ minutes: 1 })
  await open('callbacks')
  assert.equal(owner.page.status, 200, 'a minute later')
})

test('a rejected form that is too long for a cookie is shown by the response of its POST', async (t) => {
  const { owner, open } = await openSettings(await world(t))
  await open('access')
  const emails = Array.from({ length: 300 }, (_, index) => `person+${index}@example.com`).join('\n')
  await owner.press('Save who can sign in', {
    allowed_domains: 'not a domain',
    allowed_emails: emails,
  })
  assert.deepEqual([owner.page.status, fieldOf(owner, 'allowed_emails')], [400, emails])
})
