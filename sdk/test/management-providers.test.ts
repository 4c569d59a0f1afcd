import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mePaths } from '../../service/src/http/me/paths.ts'
import { claim } from '../../service/test/support/actors/claim.ts'
import { openMe, pressOnMe } from '../../service/test/support/actors/me.ts'
import { squarePng } from '../../service/test/support/png.ts'
import { testDns } from '../../service/test/support/transport/test-dns.ts'
import { createClient, startLogin } from '../src/index.ts'
import { createOwner, refused } from './support/owner.ts'

// proves C328
test('providers are shared, set, tested and removed, and a client has the fields of its provider', async (t) => {
  const { service, tenant, management } = await createOwner(t)
  const { providers } = management
  const client = {
    client_id: '123-abc.apps.googleusercontent.com',
    client_secret: 'a-secret-of-mine',
  }
  await refused(providers.set('google', client), 'ownerRequired')
  await claim(tenant, service.browser())
  assert.deepEqual((await providers.share('github')).in_use, { mode: 'shared', client_id: null })
  const own = await providers.set('google', client)
  assert.deepEqual(
    [own.status, own.client_id, own.in_use?.mode],
    ['pending', client.client_id, 'shared'],
  )
  assert.deepEqual(await providers.test('google'), { accepted: true, error_code: null })
  await providers.set('google', { ...client, client_secret: 'wrong-secret' })
  assert.deepEqual(await providers.test('google'), {
    accepted: false,
    error_code: 'invalid_client',
  })
  const listed = await providers.list()
  assert.deepEqual(
    listed.map(({ name, mode }) => `${name} ${mode}`),
    ['google own', 'github shared'],
  )
  assert.doesNotMatch(JSON.stringify(listed), /secret/)
  await refused(providers.share('apple'), 'noSharedClient')
  // @ts-expect-error: Apple has a key instead of a secret
  await refused(providers.set('apple', client), 'invalidRequest')
  await providers.remove('google')
  await refused(providers.remove('google'), 'providerNotFound')
  assert.equal((await providers.list())[0]?.mode, 'shared')
})

test('an invitation is created with its link, listed without it, deleted, and carried on by startLogin', async (t) => {
  const { management } = await createOwner(t)
  const { invitations } = management
  const { url = '', ...created } = await invitations.create({
    email: 'ada@example.com',
    claims: { role: 'editor' },
  })
  assert.deepEqual(await invitations.list(), [created])
  const client = createClient({
    baseUrl: 'https://login.example.com',
    tenantId: 'swift-fox-running-k3qd',
  })
  const started = await startLogin(new Request(`https://app.example/login${new URL(url).search}`), {
    client,
  })
  const carried = new URL(started.headers.get('location') ?? '').searchParams
  assert.equal(carried.get('invitation'), new URL(url).searchParams.get('invitation'))
  assert.equal((await invitations.create()).uses, 1)
  await invitations.delete(created.id)
  await refused(invitations.delete(created.id), 'invitationNotFound')
  assert.equal((await invitations.list()).length, 1)
})

// proves C328
test('a domain is added, checked and deleted, and a brand with a logo set, read and deleted', async (t) => {
  const { records, network } = testDns()
  const { service, tenant, management } = await createOwner(t, { network })
  const { brand, domains } = management
  await refused(domains.add('app.example.com'), 'ownerRequired')
  await claim(tenant, service.browser())
  const { dns } = await domains.add('app.example.com')
  assert.ok(dns !== null)
  assert.deepEqual((await domains.check('app.example.com')).found, {
    dns: 'absent',
    file: 'absent',
  })
  records.set(dns.name, [[dns.value]])
  const { domain } = await domains.check('app.example.com')
  assert.equal(domain.status, 'verified')
  assert.deepEqual(await domains.list(), [domain])

  assert.equal(await brand.get(), null)
  await refused(brand.logo.set(squarePng(64)), 'brandNotFound')
  const set = await brand.set({ name: 'Example Notes', accent: 'indigo' })
  assert.deepEqual([set.accent, set.logo, set.shown_on], ['indigo', null, ['app.example.com']])
  const withLogo = await brand.logo.set(squarePng(64))
  assert.equal(withLogo.logo?.size, 64)
  assert.deepEqual(await brand.get(), withLogo)
  await refused(brand.logo.set(new TextEncoder().encode('<svg/>')), 'invalidRequest')
  await refused(brand.set({ name: 'PayPal' }), 'invalidRequest')
  await brand.logo.delete()
  assert.deepEqual(await brand.get(), set)
  await brand.delete()
  assert.equal(await brand.get(), null)
  await domains.delete('app.example.com')
  await refused(domains.delete('app.example.com'), 'domainNotFound')
})

test('removals lists the users who asked for it until they are deleted', async (t) => {
  const { service, tenant, management } = await createOwner(t)
  const browser = service.browser()
  await tenant.signIn(browser)
  await claim(tenant, service.browser())
  await pressOnMe(await openMe(browser, service.baseUrl), mePaths.remove, tenant.id)
  const [removal] = await management.removals.list()
  assert.deepEqual([removal?.user_id, removal?.email], [1, 'ada@example.com'])
  assert.deepEqual(await management.removals.list({ after: 1, limit: 5 }), [])
  await management.users.delete(1)
  assert.deepEqual(await management.removals.list(), [])
})
