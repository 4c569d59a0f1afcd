import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOf } from '../support/actors/page-checks.ts'
import {
  EVERY_PROVIDER,
  ownClient,
  ownedTenant,
  pressAtProvider,
  providerOf,
  providersOf,
} from '../support/actors/providers.ts'
import { world } from '../support/world.ts'

// proves C280
test('an owner enters a client for every provider on the page, tests it and removes it', async (t) => {
  const here = await world(t)
  const { baseUrl } = here
  const { tenant, owner } = await ownedTenant(here)
  const settings = `${baseUrl}/account/projects/${tenant.id}/settings/providers`
  for (const name of EVERY_PROVIDER) {
    const isNew = name.startsWith('oidc-')
    const { client_secret = '', private_key = '', ...fields } = ownClient(baseUrl, name)
    const secret = client_secret + private_key
    await owner.open(settings)
    await owner.follow(
      isNew
        ? 'Another OpenID provider'
        : ({ github: 'GitHub' }[name as string] ?? `${name[0]?.toUpperCase()}${name.slice(1)}`),
    )
    await owner.press('Save client', {
      ...fields,
      ...(isNew ? { name: 'acme' } : {}),
      ...(private_key === ''
        ? { client_secret }
        : { private_key: private_key.replaceAll('\n', '\r\n') }),
    })
    assert.equal(owner.page.status, 200, textOf(owner.page.text))
    assert.equal(owner.page.url.pathname, `/account/projects/${tenant.id}/settings/clients/${name}`)
    assert.match(textOf(owner.page.text), /Client saved.*Waiting for your test sign-in/s)
    assert.ok(!owner.page.text.includes(secret.slice(0, 40)), 'the secret is not shown')
    const pending = await providerOf(tenant, name)
    assert.deepEqual(
      [pending?.mode, pending?.status, pending?.client_id],
      ['own', 'pending', fields.client_id],
    )
    assert.ok(owner.page.text.includes(pending?.redirect_uri ?? 'none'))

    await owner.press('Test sign-in')
    await pressAtProvider(owner, 'Ada Lovelace')
    assert.match(textOf(owner.page.text), /The test sign-in worked/)
    assert.equal((await providerOf(tenant, name))?.status, 'active')
    await owner.open(`${baseUrl}/account/projects/${tenant.id}/settings/clients/${name}`)
    assert.match(textOf(owner.page.text), /Active, tested/)
    await owner.press('Remove client')
    assert.equal((await providerOf(tenant, name))?.mode ?? 'shared', 'shared')
  }
  const { actions } = (await tenant.manage('GET', '/api/audit')).json
  const changes = actions.filter(({ action }: { action: string }) => action === 'provider.changed')
  assert.deepEqual(
    changes.map(({ actor, target }: Record<string, string>) => `${actor?.split(':')[0]} ${target}`),
    EVERY_PROVIDER.map((name) => `account ${name}`),
  )
  assert.deepEqual(await tenant.users(), [], 'a test sign-in stores no user')
})

// proves C280
test('a rejected client says at each field what the API says, never repeats the secret and changes nothing', async (t) => {
  const here = await world(t)
  const { baseUrl } = here
  const { tenant, owner } = await ownedTenant(here)
  const clients = `${baseUrl}/account/projects/${tenant.id}/settings/clients`
  const before = await providersOf(tenant)
  const problemOf = (field: string): string =>
    textOf(
      new RegExp(`id="client-${field}-problem">(.*?)</div>`, 's').exec(owner.page.text)?.[1] ??
        'none',
    ).trim()

  for (const [provider, fields, problems] of [
    [
      'google',
      { client_id: 'nothing', client_secret: 'a secret with spaces' },
      {
        client_id: 'It ends with .apps.googleusercontent.com.',
        client_secret: 'Enter the secret without spaces or line breaks.',
      },
    ],
    [
      'apple',
      { ...ownClient(baseUrl, 'apple'), key_id: 'short', private_key: 'not-a-key-of-apple' },
      { key_id: 'Enter the ten characters that Apple shows.' },
    ],
    [
      'oidc',
      { ...ownClient(baseUrl, 'oidc-acme'), name: 'UP', issuer: 'nothing' },
      { name: 'Enter 2 to 20 of a-z, 0-9 and “-”.' },
    ],
    [
      'google',
      { ...ownClient(baseUrl, 'google'), redirect_uri: 'https://other.example.com/relay' },
      { redirect_uri: '' },
    ],
  ] as [string, Record<string, string>, Record<string, string>][]) {
    await owner.open(`${clients}/${provider}`)
    await owner.press('Save client', fields)
    assert.equal(owner.page.status, 400)
    for (const [field, problem] of Object.entries(problems)) {
      assert.ok(problemOf(field).startsWith(problem), problemOf(field))
    }
    const { client_secret, private_key } = fields
    assert.ok(
      !owner.page.text.includes(client_secret ?? private_key ?? ''),
      'the secret is not sent back',
    )
    assert.ok(
      owner.page.text.includes(`value="${fields.client_id}"`),
      'the other fields keep what was typed',
    )
  }
  assert.deepEqual(await providersOf(tenant), before)
  await owner.open(`${clients}/nothing`)
  assert.equal(owner.page.status, 404)
})

test('replacing a secret keeps the relay and the client id of the form, and a name that is taken adds nothing', async (t) => {
  const here = await world(t)
  const { baseUrl } = here
  const { tenant, owner } = await ownedTenant(here)
  const clients = `${baseUrl}/account/projects/${tenant.id}/settings/clients`
  const relay: Record<string, string> = {
    ...ownClient(baseUrl, 'google'),
    redirect_uri: 'https://app.example.com/relay',
  }
  await owner.open(`${clients}/google`)
  await owner.press('Save client', relay)
  assert.equal((await providerOf(tenant, 'google'))?.redirect_uri, relay.redirect_uri)
  await owner.press('Save client', { client_secret: 'another-secret-of-the-owner' })
  const replaced = await providerOf(tenant, 'google')
  assert.deepEqual(
    [replaced?.redirect_uri, replaced?.client_id],
    [relay.redirect_uri, relay.client_id],
  )

  const microsoft = ownClient(baseUrl, 'microsoft')
  await owner.open(`${clients}/microsoft`)
  await owner.press('Save client', { ...microsoft, directory: 'contoso.com' })
  await owner.press('Save client', microsoft)
  assert.equal(owner.page.status, 400, 'who can sign in is not widened by leaving it out')
  assert.match(owner.page.text, /id="client-directory-problem"/)

  const acme: Record<string, string> = { ...ownClient(baseUrl, 'oidc-acme'), name: 'acme' }
  await owner.open(`${clients}/oidc`)
  await owner.press('Save client', acme)
  await owner.open(`${clients}/oidc`)
  await owner.press('Save client', { ...acme, client_id: 'other' })
  assert.match(textOf(owner.page.text), /This project has a provider with this id/)
  assert.equal((await providerOf(tenant, 'oidc-acme'))?.client_id, acme.client_id)
})
