import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { mePaths } from '../../service/src/http/me/paths.ts'
import { claim } from '../../service/test/support/actors/claim.ts'
import { openMe, pressOnMe } from '../../service/test/support/actors/me.ts'
import { squarePng } from '../../service/test/support/png.ts'
import { testDns } from '../../service/test/support/transport/test-dns.ts'
import { createLocalFixture, writeTenantFile } from './support/machine.ts'

// proves C336
test('domains adds, checks, lists and deletes a domain, and exits with 1 until it is verified', async (t) => {
  const { records, network } = testDns()
  const { machine, agent, browser } = await createLocalFixture(t, { network })
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  await machine.expectProblem(1, 'ownerRequired', 'domains', 'add', 'app.example.com')
  await claim(tenant, browser())
  assert.match((await machine.run('domains')).stderr, /No domains/)
  const added = await machine.run('domains', 'add', 'app.example.com')
  assert.match(
    added.stdout,
    /^app\.example\.com {2}pending\n {2}DNS {3}_gatehouse\.example\.com {2}TXT {2}gatehouse-/,
  )
  assert.match(
    added.stdout,
    /^ {2}File {2}https:\/\/app\.example\.com\/\.well-known\/gatehouse\.txt {2}gatehouse-/m,
  )
  assert.match(added.stderr, /domains check app\.example\.com/)
  const early = await machine.run('domains', 'check', 'app.example.com')
  assert.deepEqual([early.code, /DNS record: absent, file: absent/.test(early.stdout)], [1, true])
  const [{ dns }] = (await machine.run('domains', '--json')).json
  records.set(dns.name, [[dns.value]])
  const checked = await machine.run('domains', 'check', 'app.example.com')
  assert.deepEqual([checked.code, checked.stdout], [0, 'app.example.com  verified (dns)\n'])
  assert.equal(
    (await machine.run('domains', 'delete', 'app.example.com')).stdout,
    'Deleted app.example.com.\n',
  )
  await machine.expectProblem(1, 'domainNotFound', 'domains', 'check', 'app.example.com')
  for (const args of [
    ['remove', 'x.com'],
    ['constructor', 'x.com'],
    ['add'],
    ['check', 'a.com', 'b.com'],
  ]) {
    assert.equal((await machine.run('domains', ...args)).code, 2, args.join(' '))
  }
})

// proves C336
test('brand changes one field and keeps the others, uploads a logo, and deletes both', async (t) => {
  const { machine, agent, browser } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  await claim(tenant, browser())
  const brandNow = async () => (await tenant.manage('GET', '/api/social-login/brand')).json.brand
  const none = await machine.run('brand', '--json')
  assert.deepEqual([none.json, /No brand/.test(none.stderr)], [[null], true])
  assert.equal((await machine.run('brand', 'accent=blue')).code, 2, 'a brand needs a name')
  const set = await machine.run('brand', 'name=Example Notes', 'accent=blue')
  assert.match(
    set.stdout,
    /^name=Example Notes\nprivacy_url=\nterms_url=\naccent=blue\nlogo: none\nshown on: no host/,
  )
  const file = join(machine.project, 'logo.png')
  await writeFile(file, squarePng(64))
  assert.match((await machine.run('brand', 'logo', file)).stdout, /^logo: 64 pixels$/m)
  await machine.run('brand', 'accent=')
  const { name, accent, logo } = await brandNow()
  assert.deepEqual([name, accent, logo.size], ['Example Notes', null, 64])

  await writeFile(file, Buffer.alloc(65_537))
  for (const args of [
    ...[['logo'], ['logo', file], ['logo', `${file}.svg`], ['logo', file, file]],
    ...[['color=red'], ['name'], ['delete', 'x'], ['__proto__=1'], ['name=x', 'constructor=y']],
  ]) {
    assert.equal((await machine.run('brand', ...args)).code, 2, args.join(' '))
  }
  await writeFile(file, '<svg/>')
  await machine.expectProblem(1, 'invalidRequest', 'brand', 'logo', file)
  await machine.expectProblem(1, 'invalidRequest', 'brand', 'accent=neon')
  assert.equal((await brandNow()).logo.url, logo.url, 'nothing is changed')
  assert.equal((await machine.run('brand', 'delete-logo')).stdout, 'Deleted the logo.\n')
  assert.equal((await brandNow()).logo, null)
  assert.equal((await machine.run('brand', 'delete')).stdout, 'Deleted the brand.\n')
  assert.equal(await brandNow(), null)
})

// proves C336
test('removals lists who asked that their data is removed, and when that happens', async (t) => {
  const { machine, agent, browser, baseUrl } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  await claim(tenant, browser(), 'Grace Hopper')
  assert.match((await machine.run('removals')).stderr, /No removal requests/)
  await tenant.signIn(browser())
  await pressOnMe(await openMe(browser(), baseUrl), mePaths.remove, tenant.id)
  const listed = await machine.run('removals', '--limit', '5')
  assert.match(listed.stdout, /^#1 {2}ada@example\.com {2}deleted on \d{4}-\d\d-\d\d\n$/)
  assert.match(listed.stderr, /users delete <id> --confirm <email>/)
  const [removal] = (await machine.run('removals', '--json')).json
  assert.deepEqual(
    [removal],
    (await tenant.manage('GET', '/api/social-login/removals')).json.removals,
  )
  assert.equal((await machine.run('removals', '--limit', 'all')).code, 2)
})
