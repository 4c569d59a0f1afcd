import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { describe, test } from 'node:test'
import { sqliteOnly } from '../../support/postgres/engines.ts'
import { startPostgres } from '../../support/postgres/pg-server.ts'
import {
  NOW,
  openTestStorage,
  raw,
  refreshOf,
  rotation,
  signInUser,
  vacuumsOf,
} from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'

/** Where Debian installs servers, a folder for each version. The other tests run on the newest, from npm. */
const SERVERS = '/usr/lib/postgresql'
const versions = existsSync(SERVERS)
  ? readdirSync(SERVERS).filter((name) => existsSync(`${SERVERS}/${name}/bin/initdb`))
  : []

describe('PostgreSQL as the distribution packages it', {
  skip: sqliteOnly || (versions.length === 0 && `no server in ${SERVERS}`),
}, () => {
  for (const version of versions) {
    const bin = `${SERVERS}/${version}/bin`

    test(`[PostgreSQL ${version}] ${Number(version) >= 14 ? 'everything works with a plain role' : 'the start is refused'}`, async (t) => {
      const server = await startPostgres([], bin)
      t.after(() => server.stop())
      const admin = { engine: 'postgres', url: server.url } as const
      await raw(admin, 'create role gatehouse login')
      await raw(admin, 'create schema gatehouse authorization gatehouse')
      const database = {
        engine: 'postgres',
        url: server.url.replace('postgres@', 'gatehouse@'),
      } as const
      if (Number(version) < 14) {
        const refused = new RegExp(
          `the server is PostgreSQL ${version}, and Gatehouse needs 14 or newer`,
        )
        await assert.rejects(openTestStorage(t, 'postgres', { database }), refused)
        return
      }
      const one = await openTestStorage(t, 'postgres', { database })
      const two = await openTestStorage(t, 'postgres', { database })
      await Promise.all([one.storage.follow(), two.storage.follow()])
      const { resource, session } = await signInUser(one.stores)
      const refresh = await refreshOf(one.stores, resource, rotation(session, NOW + 1))
      assert.equal((await one.stores.refresh(refresh)).outcome, 'refreshed')
      assert.equal((await two.stores.refresh(refresh)).outcome, 'not-current')
      await waitUntil('the other instance receives the revocation', () =>
        two.revocations().some(({ kind }) => kind === 'session'),
      )
      await one.stores.eraseDeleted()
      await waitUntil(
        'the tables are vacuumed',
        async () => (await vacuumsOf(database, 'users')) === 1,
      )
      assert.deepEqual([...one.warnings, ...two.warnings], [])
    })
  }
})
