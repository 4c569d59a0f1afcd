import assert from 'node:assert/strict'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Unavailable } from '../../../src/domain/api-error.ts'
import { UnusableDatabase } from '../../../src/storage/database-errors.ts'
import { freshFolder, sqliteOnly } from '../../support/postgres/engines.ts'
import { ownedByServer, serverFolder } from '../../support/postgres/pg-process.ts'
import { type PgServer, startPostgres } from '../../support/postgres/pg-server.ts'
import { openTestStorage, raw } from '../../support/postgres/storage.ts'
import { TEST_TLS } from '../../support/transport/tls.ts'

/** A server with a certificate that it signed itself, for client.example. */
async function startWithTls(folder: string): Promise<PgServer> {
  const [cert, key] = [join(folder, 'server.crt'), join(folder, 'server.key')]
  await writeFile(cert, TEST_TLS.cert)
  await writeFile(key, TEST_TLS.key)
  await chmod(key, 0o600)
  for (const file of [cert, key]) {
    await ownedByServer(file)
  }
  return startPostgres(['ssl=on', `ssl_cert_file=${cert}`, `ssl_key_file=${key}`])
}

describe('TLS to PostgreSQL', { skip: sqliteOnly }, () => {
  let server: PgServer
  let ca: string
  let folder: string
  before(async () => {
    folder = await serverFolder()
    server = await startWithTls(folder)
    ca = join(await freshFolder(), 'ca.pem')
    await writeFile(ca, TEST_TLS.cert)
  })
  after(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })
  const at = (parameters: string) => {
    const url = new URL(server.url)
    url.password = 'geheim'
    return { engine: 'postgres', url: `${url.href}?${parameters}` } as const
  }

  test('a certificate of an unknown CA is refused, and the error names sslrootcert', async (t) => {
    await assert.rejects(
      openTestStorage(t, 'postgres', { database: at('sslmode=verify-full') }),
      (error: Error) => {
        assert.ok(error instanceof Unavailable)
        assert.match(
          error.message,
          /certificate is signed by an unknown CA \(\w+\); add sslrootcert=/,
        )
        assert.doesNotMatch(error.message, /geheim/)
        return true
      },
    )
  })

  test('a certificate for another name is refused, and the error says so', async (t) => {
    const database = at(`sslmode=verify-full&sslrootcert=${ca}`)
    await assert.rejects(
      openTestStorage(t, 'postgres', { database }),
      /its TLS certificate is for another name/,
    )
  })

  test('a CA file that is missing is named, and so is the parameter', async (t) => {
    const database = at('sslmode=verify-full&sslrootcert=/nowhere/ca.pem')
    await assert.rejects(openTestStorage(t, 'postgres', { database }), (error: Error) => {
      assert.ok(error instanceof UnusableDatabase)
      assert.match(
        error.message,
        /^sslrootcert .* names \/nowhere\/ca\.pem, which cannot be read \(ENOENT\)/,
      )
      assert.doesNotMatch(error.message, /geheim/)
      return true
    })
  })

  test('with the CA of the certificate the connections are encrypted', async (t) => {
    const database = at(`uselibpqcompat=true&sslmode=verify-ca&sslrootcert=${ca}`)
    const { storage } = await openTestStorage(t, 'postgres', { database })
    await storage.follow()
    const all = await raw(
      at('sslmode=no-verify'),
      `select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'gatehouse'`,
    )
    assert.ok(all.length >= 2, 'the pool and the listener')
    assert.ok(all.every(({ ssl }) => ssl === true))
  })

  test('a server without TLS is refused if the URL asks for it', async (t) => {
    const plain = await startPostgres()
    t.after(() => plain.stop())
    const database = { engine: 'postgres', url: `${plain.url}?sslmode=verify-full` } as const
    await assert.rejects(
      openTestStorage(t, 'postgres', { database }),
      /does not support SSL connections/,
    )
  })
})
