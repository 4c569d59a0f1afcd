import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStorage } from '../../src/storage/open.ts'
import { figure, seconds } from '../support/faults/figures.ts'
import { person, raw } from '../support/postgres/storage.ts'
import { newTenant, type ServiceProcess, startService } from '../support/process/service-process.ts'
import { waitUntil } from '../support/process/wait-until.ts'

const PEOPLE = 9_000
const NAME = 'somebody-to-forget'

const databaseOf = ({ settings }: ServiceProcess) =>
  ({ engine: 'sqlite', file: path.join(settings.DATA_DIR, 'gatehouse.db') }) as const

/** More people than one step of a deletion removes, put there behind the service's back. */
async function fill(service: ServiceProcess, tenantId: string): Promise<void> {
  const { stores, close } = await openStorage({ database: databaseOf(service), publish: () => {}, warn: () => {} })
  const resource = await stores.resources.findActive(tenantId)
  assert.ok(resource)
  await stores.transaction(async ({ users }) => {
    for (let number = 0; number < PEOPLE; number++)
      await users.insert(resource, person(`${NAME}-${number}`), Date.now())
  })
  await close()
}

async function peopleIn(service: ServiceProcess): Promise<number> {
  return Number((await raw(databaseOf(service), 'select count(*) as people from users'))[0]?.people)
}

function filesWith(service: ServiceProcess, text: string): string[] {
  const folder = service.settings.DATA_DIR
  return readdirSync(folder).filter((name) => readFileSync(path.join(folder, name)).includes(text))
}

test('F30: a deletion that is killed half-way shows nothing afterwards, and is finished by the next start', async (t) => {
  const before = await startService(t)
  const tenant = await newTenant(before)
  const { access_token, refresh_token } = await tenant.signIn(before.browser())
  await fill(before, tenant.id)
  assert.ok(filesWith(before, NAME).length > 0)

  const deleting = tenant.manage('DELETE', '/api/resources/social-login').catch((error: unknown) => error)
  while ((await peopleIn(before)) > PEOPLE) await sleep(1)
  await before.end('SIGKILL')
  assert.ok((await deleting) instanceof Error, 'it had no time to answer')
  const left = await peopleIn(before)
  assert.ok(left > 0 && left <= PEOPLE, `${left} people are left`)

  const restarted = performance.now()
  const after = await startService(t, before.settings)
  const same = tenant.at(after.agent)
  // Whatever of it is still there, nobody can see it.
  const seen = async (): Promise<void> => {
    for (const what of ['users', 'users/1', 'events']) {
      const response = await same.manage('GET', `/api/social-login/${what}`)
      assert.equal(response.json.error?.code, 'notProvisioned', response.text)
    }
    assert.deepEqual((await same.manage('GET', '/api/resources')).json.resources, [])
    assert.notEqual((await same.edge('verify', { access_token })).json.valid, true)
    assert.equal((await same.edge('refresh', { refresh_token })).json.error?.code, 'notProvisioned')
  }
  await seen()
  await waitUntil('everybody is gone', async () => {
    await seen()
    return (await peopleIn(after)) === 0
  })
  await waitUntil('no file remembers anybody', async () => filesWith(after, NAME).length === 0)
  assert.deepEqual(filesWith(after, 'ada@example.com'), [])
  const took = performance.now() - restarted
  assert.equal((await same.status()).usage.stored_users.used, 0)

  await same.provision(['https://app.example.com/callback'])
  assert.deepEqual(await same.users(), [])
  assert.deepEqual(await same.events(), [])
  assert.deepEqual((await same.edge('verify', { access_token })).json, { valid: false })
  figure(
    t,
    `F30: killed with ${left} of ${PEOPLE + 1} people left; gone from every file ${seconds(took)} after the next start began`,
  )
})
