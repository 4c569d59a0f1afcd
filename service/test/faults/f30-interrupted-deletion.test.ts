import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStorage } from '../../src/storage/open.ts'
import { figure, seconds } from '../support/faults/figures.ts'
import { googleProfile, raw } from '../support/postgres/storage.ts'
import { newTenant, type ServiceProcess, startService } from '../support/process/service-process.ts'
import { waitUntil } from '../support/process/wait-until.ts'

const USERS = 9_000
const NAME = 'user-to-delete'

const databaseOf = ({ settings }: ServiceProcess) =>
  ({ engine: 'sqlite', file: path.join(settings.DATA_DIR, 'gatehouse.db') }) as const

/** Inserts more users than one step of a deletion removes. */
async function insertUsers(service: ServiceProcess, tenantId: string): Promise<void> {
  const { stores, close } = await openStorage({
    database: databaseOf(service),
    publish: () => {},
    warn: () => {},
  })
  const resource = await stores.resources.findActive(tenantId)
  assert.ok(resource)
  await stores.transaction(async ({ users }) => {
    for (let number = 0; number < USERS; number++) {
      await users.insert(resource, googleProfile(`${NAME}-${number}`), Date.now())
    }
  })
  await close()
}

async function countUsers(service: ServiceProcess): Promise<number> {
  return Number((await raw(databaseOf(service), 'select count(*) as n from users'))[0]?.n)
}

function filesWith(service: ServiceProcess, text: string): string[] {
  const folder = service.settings.DATA_DIR
  return readdirSync(folder).filter((name) => readFileSync(path.join(folder, name)).includes(text))
}

// proves C040, S007
test('F30: after a deletion is killed half-way nothing is readable, and the next start finishes it', async (t) => {
  const before = await startService(t)
  const tenant = await newTenant(before)
  const { access_token, refresh_token } = await tenant.signIn(before.browser())
  await insertUsers(before, tenant.id)
  assert.ok(filesWith(before, NAME).length > 0)

  const deleting = tenant
    .manage('DELETE', '/api/resources/social-login')
    .catch((error: unknown) => error)
  while ((await countUsers(before)) > USERS) {
    await sleep(1)
  }
  await before.end('SIGKILL')
  assert.ok((await deleting) instanceof Error, 'killed before the response')
  const left = await countUsers(before)
  assert.ok(left > 0 && left <= USERS, `${left} users are left`)

  const restarted = performance.now()
  const after = await startService(t, before.settings)
  const same = tenant.at(after.agent)
  // The remaining rows must not be readable.
  const assertUnreadable = async (): Promise<void> => {
    for (const what of ['users', 'users/1', 'events']) {
      const response = await same.manage('GET', `/api/social-login/${what}`)
      assert.equal(response.json.error?.code, 'notProvisioned', response.text)
    }
    assert.deepEqual((await same.manage('GET', '/api/resources')).json.resources, [])
    assert.notEqual((await same.edge('verify', { access_token })).json.valid, true)
    assert.equal((await same.edge('refresh', { refresh_token })).json.error?.code, 'notProvisioned')
  }
  await assertUnreadable()
  await waitUntil('all users are deleted', async () => {
    await assertUnreadable()
    return (await countUsers(after)) === 0
  })
  await waitUntil(
    'no file contains a deleted user',
    async () => filesWith(after, NAME).length === 0,
  )
  assert.deepEqual(filesWith(after, 'ada@example.com'), [])
  const took = performance.now() - restarted
  assert.equal((await same.status()).usage.stored_users.used, 0)

  await same.provision(['https://app.example.com/callback'])
  assert.deepEqual(await same.users(), [])
  assert.deepEqual(await same.events(), [])
  assert.deepEqual((await same.edge('verify', { access_token })).json, { valid: false })
  figure(
    t,
    `F30: killed with ${left} of ${USERS + 1} users left; deleted from every file ${seconds(took)} after the next start began`,
  )
})
