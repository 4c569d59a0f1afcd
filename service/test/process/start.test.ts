import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { runOperatorCommand } from '../support/actors/operator-command.ts'
import {
  asAdmin,
  databaseFor,
  ENGINES,
  freshFolder,
  freshPostgres,
  sqliteOnly,
} from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { run } from '../support/process/run.ts'
import {
  failedStart,
  type Settings,
  startService,
  type TestScope,
} from '../support/process/service-process.ts'
import { freePort } from '../support/transport/free-port.ts'
import { listen } from '../support/transport/listen.ts'

const KEY_FILE = 'keys.json'
const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8)
const masterKey = (kid: number): string => `${kid}:${randomBytes(32).toString('base64')}`

/** A data folder with a tenant and a session, and the settings to start the service on it. */
async function createUsedFolder(t: TestScope, extra: Settings) {
  const first = await startService(t, extra)
  const { agent, settings } = first
  const tenant = await agent.createTenant()
  const { access_token, refresh_token } = await tenant.signIn(first.browser())
  await first.end('SIGTERM')
  return { settings, folder: settings.DATA_DIR, tenant, access_token, refresh_token }
}

let shared: ReturnType<typeof createUsedFolder> | undefined

/** A copy of one used folder, on a port of its own: a start and a sign-in take longer than most of these tests. */
async function usedFolder(t: TestScope) {
  shared ??= createUsedFolder(t, {})
  const used = await shared
  const folder = path.join(await freshFolder(), 'data')
  cpSync(used.folder, folder, { recursive: true, preserveTimestamps: true })
  // Tokens name the URL that issued them.
  const BASE_URL = `http://localhost:${used.settings.PORT}`
  const settings = { ...used.settings, DATA_DIR: folder, BASE_URL, PORT: String(await freePort()) }
  return { ...used, folder, settings }
}

const oldNode = await findOldNode()

// Each test waits for a process to start, so two run at a time.
describe('starting', { concurrency: 2 }, () => {
  test('invalid settings are all listed on stderr, the exit code is 1, and no file is created', async (t) => {
    const folder = await freshFolder()
    const { code, stdout, stderr } = await failedStart(t, {
      DATA_DIR: path.join(folder, 'data'),
      PORT: 'http',
      BASE_URL: 'ftp://example.com',
      DATABASE_URL: 'mysql://db',
      SERVICE_KEYS: '1:too-short',
    })
    assert.equal(code, 1)
    assert.equal(stdout, '')
    for (const name of ['PORT', 'BASE_URL', 'DATABASE_URL', 'SERVICE_KEYS']) {
      assert.match(stderr, new RegExp(`^ {2}- ${name}\\b`, 'm'))
    }
    assert.doesNotMatch(stderr, /at .*\.ts:\d/, 'no stack trace')
    assert.deepEqual(readdirSync(folder), [])
  })

  test('the first start creates a private folder, database and key file, and prints its URL and next steps', async (t) => {
    const { settings, end, output } = await startService(t)
    const folder = settings.DATA_DIR
    assert.equal(mode(folder), '700')
    for (const file of readdirSync(folder)) {
      assert.equal(mode(path.join(folder, file)), '600', file)
    }
    assert.ok(existsSync(path.join(folder, KEY_FILE)))
    assert.ok(existsSync(path.join(folder, 'gatehouse.db')))

    const base = `http://localhost:${settings.PORT}`
    for (const text of [base, folder, 'development Google', `POST ${base}/api/genesis`]) {
      assert.ok(output().includes(text), text)
    }
    const keys = JSON.parse(readFileSync(path.join(folder, KEY_FILE), 'utf8')).keys
    const { stdout, stderr } = await end('SIGTERM')
    assert.equal(stderr, '')
    assert.ok(!stdout.includes(keys[0].secret))
  })

  test('a second start keeps keys, tenants, users and tokens', async (t) => {
    const { settings, tenant, access_token, refresh_token, folder } = await usedFolder(t)
    const keys = readFileSync(path.join(folder, KEY_FILE), 'utf8')
    const again = await startService(t, settings)
    const same = tenant.at(again.agent)
    assert.equal(await same.isValid(access_token), true)
    await same.refresh(refresh_token)
    assert.equal(await same.isValid(access_token), false)
    assert.deepEqual(
      (await same.users()).map(({ email }) => email),
      ['ada@example.com'],
    )
    assert.equal(readFileSync(path.join(folder, KEY_FILE), 'utf8'), keys)
  })

  // proves S027
  test('the service does not start if the key file of its database is missing or wrong, and creates no key', async (t) => {
    const { settings, folder } = await usedFolder(t)
    const file = path.join(folder, KEY_FILE)
    const right = readFileSync(file)

    rmSync(file)
    const missing = await failedStart(t, settings)
    assert.equal(missing.code, 1)
    assert.ok(missing.stderr.includes(file), missing.stderr)
    assert.match(missing.stderr, /Restore that file from a backup.*or set SERVICE_KEYS/)
    assert.equal(
      existsSync(file),
      false,
      'a new key would invalidate every token and key in the database',
    )

    const [kid, secret] = masterKey(1).split(':')
    writeFileSync(file, JSON.stringify({ keys: [{ kid: Number(kid), secret }] }), { mode: 0o600 })
    const wrong = await failedStart(t, settings)
    assert.equal(wrong.code, 1)
    assert.match(
      wrong.stderr,
      /another master key 1.*Restore the right keys\.json, or set SERVICE_KEYS/,
    )
    assert.ok(!wrong.stderr.includes(secret ?? ''))

    writeFileSync(file, '{"keys": [', { mode: 0o600 })
    assert.match((await failedStart(t, settings)).stderr, /damaged.*Restore it from a backup/)

    writeFileSync(file, right)
    const back = await startService(t, settings)
    assert.equal((await back.end('SIGTERM')).code, 0)
  })

  // proves S027
  test('the service does not start with a key file that other users can read, and prints the chmod command', async (t) => {
    const { settings, folder } = await usedFolder(t)
    const file = path.join(folder, KEY_FILE)
    chmodSync(file, 0o640)
    const { code, stderr } = await failedStart(t, settings)
    assert.equal(code, 1)
    assert.ok(stderr.includes(`Run: chmod 600 ${file}`), stderr)
    assert.equal(mode(file), '640')
  })

  // proves S028
  test('SERVICE_KEYS replace the key file, and tokens stay valid when a newer key is put first', async (t) => {
    const [one, two] = [masterKey(1), masterKey(2)]
    const { settings, folder, tenant, access_token, refresh_token } = await createUsedFolder(t, {
      SERVICE_KEYS: one,
    })
    assert.equal(existsSync(path.join(folder, KEY_FILE)), false)

    const rotated = await startService(t, { ...settings, SERVICE_KEYS: `${two},${one}` })
    const same = tenant.at(rotated.agent)
    assert.equal(await same.isValid(access_token), true)
    const next = await same.refresh(refresh_token)
    const header = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
    assert.notEqual(header(next.access_token).kid, header(access_token).kid)
    assert.equal(await same.isValid(next.access_token), true)
    await rotated.end('SIGTERM')

    const without = await failedStart(t, { ...settings, SERVICE_KEYS: one })
    assert.equal(without.code, 1)
    assert.match(without.stderr, /another master key 2/)
  })

  test('two processes that start at once on an empty folder use the same key', async (t) => {
    const DATA_DIR = path.join(await freshFolder(), 'data')
    const BASE_URL = `http://localhost:${await freePort()}`
    const [a, b] = await Promise.all([
      startService(t, { DATA_DIR, BASE_URL }),
      startService(t, { DATA_DIR, BASE_URL }),
    ])
    const tenant = await a.agent.createTenant()
    assert.equal((await tenant.at(b.agent).manage('GET', '/api/status')).status, 200)
    assert.deepEqual(
      readdirSync(DATA_DIR).filter((name) => name.startsWith(KEY_FILE)),
      [KEY_FILE],
    )
  })

  test('a port in use or an unavailable HOST is reported with the fix', async (t) => {
    const { port } = await listen(t)
    const DATA_DIR = path.join(await freshFolder(), 'data')
    const { code, stderr } = await failedStart(t, { DATA_DIR, PORT: String(port) })
    assert.equal(code, 1)
    assert.equal(
      stderr,
      `Gatehouse cannot start: port ${port} is taken. Stop what uses it, or set PORT to another.\n`,
    )

    const HOST = '192.0.2.1'
    const unavailable = await failedStart(t, {
      DATA_DIR,
      HOST,
      ALLOW_DEVELOPMENT_SIGN_IN: '1',
      PORT: String(await freePort()),
    })
    assert.equal(unavailable.code, 1)
    assert.match(
      unavailable.stderr,
      /this machine has no address 192\.0\.2\.1\. Set HOST to one that it has/,
    )
  })

  test('a data folder that cannot be created or an unreachable database is reported in one sentence', async (t) => {
    const file = path.join(await freshFolder(), 'file')
    writeFileSync(file, '')
    const blocked = await failedStart(t, {
      DATA_DIR: path.join(file, 'data'),
      PORT: String(await freePort()),
    })
    assert.equal(blocked.code, 1)
    assert.match(blocked.stderr, /^Gatehouse cannot start: .*DATA_DIR.*\n$/)

    const DATABASE_URL = `postgres://nobody:geheim@127.0.0.1:${await freePort()}/none`
    const unreachable = await failedStart(t, {
      DATA_DIR: await freshFolder(),
      DATABASE_URL,
      PORT: String(await freePort()),
    })
    assert.equal(unreachable.code, 1)
    assert.match(unreachable.stderr, /^Gatehouse cannot start: .*DATABASE_URL.*\n$/)
    assert.doesNotMatch(unreachable.stderr, /geheim/)
  })

  test('a database that is missing or empty beside its key file is not replaced by an empty one', async (t) => {
    const { settings, folder, tenant } = await usedFolder(t)
    const file = path.join(folder, 'gatehouse.db')
    const keyFile = path.join(folder, KEY_FILE)
    renameSync(file, `${file}.kept`)
    const message = `Gatehouse cannot start: ${keyFile} is there, but its database ${file} is missing or empty. Restore it from a backup, or set DATA_DIR to the folder that has it. To start without data on purpose, move ${keyFile} away too.\n`
    const missing = await failedStart(t, settings)
    assert.deepEqual([missing.code, missing.stderr], [1, message])
    assert.equal(existsSync(file), false, 'nothing is created')
    const command = await runOperatorCommand(settings, 'tenants', 'list')
    assert.equal(command.status, 1)
    assert.match(command.stderr, /^There is no database .* Nothing was created\.\n$/)
    writeFileSync(file, '')
    assert.equal((await failedStart(t, settings)).stderr, message)

    rmSync(file)
    renameSync(keyFile, `${keyFile}.kept`)
    const empty = await startService(t, settings)
    assert.equal(
      (await tenant.at(empty.agent).manage('GET', '/api/status')).status,
      401,
      'without data, on purpose',
    )
    await empty.end('SIGTERM')
    for (const name of [file, keyFile]) {
      renameSync(`${name}.kept`, name)
    }
    const back = await startService(t, settings)
    assert.equal((await tenant.at(back.agent).manage('GET', '/api/status')).status, 200)
  })

  test('a damaged database, a file that is no database and one that this user may not write are told apart', async (t) => {
    const { settings, folder } = await usedFolder(t)
    const file = path.join(folder, 'gatehouse.db')
    const right = readFileSync(file)
    const reasonOf = async (): Promise<string> => {
      const { code, stderr } = await failedStart(t, settings)
      assert.equal(code, 1)
      assert.match(stderr, /^Gatehouse cannot start: .*\n$/, 'one line, no stack trace')
      return stderr
    }

    // The first page is right, and the others are not.
    writeFileSync(
      file,
      Buffer.concat([right.subarray(0, 4_096), Buffer.alloc(right.length - 4_096, 0xff)]),
    )
    assert.match(
      await reasonOf(),
      /gatehouse\.db is damaged \(.*malformed\)\. Keep a copy of it, and restore the newest backup/,
    )
    writeFileSync(file, 'an image, despite its name'.repeat(500))
    assert.match(await reasonOf(), /gatehouse\.db is not a SQLite database/)
    assert.match(
      (await runOperatorCommand(settings, 'tenants', 'list')).stderr,
      /is not a SQLite database/,
    )
    writeFileSync(file, right)

    if (process.getuid?.() !== 0) {
      chmodSync(file, 0o400)
      assert.match(
        await reasonOf(),
        /this user may not use .*gatehouse\.db \(.*\)\. Let this user write to it/,
      )
      chmodSync(file, 0o600)
    }
    await (await startService(t, settings)).end('SIGTERM')
  })

  for (const engine of ENGINES) {
    test(`[${engine}] a failed SQL statement is reported as one, and not as a missing right or a wrong URL`, async (t) => {
      const env = await databaseFor(t, engine)
      const { DATA_DIR, DATABASE_URL: url } = env
      const database =
        url === undefined
          ? ({ engine: 'sqlite', file: path.join(DATA_DIR, 'gatehouse.db') } as const)
          : ({ engine: 'postgres', url } as const)
      await raw(database, 'alter table key_checks rename to other')
      const { stderr } = await failedStart(t, env)
      assert.match(
        stderr,
        /^Gatehouse cannot start: a statement failed in .*key_checks.*, and what it would have changed was not stored\..*\n$/,
      )
      assert.doesNotMatch(stderr, /Let this user write|DATABASE_URL is right/)
    })
  }

  // proves C343
  test('a start on a public BASE_URL without OPERATOR_NAME or PRIVACY_URL logs a warning for each', async (t) => {
    const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
    const bare = await startService(t, { BASE_URL: 'https://login.example.com', ...google })
    const { stdout } = await bare.end('SIGTERM')
    assert.match(stdout, /OPERATOR_NAME is not set/)
    assert.match(stdout, /PRIVACY_URL is not set/)
    const operator = { OPERATOR_NAME: 'Example Inc.', PRIVACY_URL: 'https://example.com/privacy' }
    const named = await startService(t, {
      BASE_URL: 'https://login.example.com',
      ...google,
      ...operator,
    })
    assert.doesNotMatch((await named.end('SIGTERM')).stdout, /is not set/)
  })

  test('a start on PostgreSQL with synchronous_commit off warns that a crash loses changes', {
    skip: sqliteOnly,
  }, async (t) => {
    const DATABASE_URL = await freshPostgres()
    const DATA_DIR = path.join(await freshFolder(), 'data')
    const name = new URL(DATABASE_URL).pathname.slice(1)
    const isWarned = async (value: 'on' | 'off'): Promise<boolean> => {
      await asAdmin((admin) =>
        admin.query(`alter database ${name} set synchronous_commit = ${value}`),
      )
      const service = await startService(t, { DATABASE_URL, DATA_DIR })
      await service.end('SIGTERM')
      return service.output().includes('synchronous_commit is off')
    }
    assert.deepEqual([await isWarned('off'), await isWarned('on')], [true, false])
  })

  test('on an old Node the service names the required version and exits 1', {
    skip: oldNode === null && 'no old Node is installed',
  }, async (t) => {
    const { code, stderr, stdout } = await failedStart(
      t,
      { DATA_DIR: await freshFolder() },
      oldNode ?? '',
    )
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(
      stderr,
      /^Gatehouse needs Node 24 or newer, and this is \d+\.\d+\.\d+\. Run it with: npm start\n$/,
    )
  })
})

/** The system's Node, not the one in node_modules. */
async function findOldNode(): Promise<string | null> {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const node = path.join(folder, 'node')
    if (folder.includes('node_modules') || !existsSync(node)) {
      continue
    }
    if (Number((await run(node, ['--version'])).slice(1).split('.')[0]) < 24) {
      return node
    }
  }
  return null
}
