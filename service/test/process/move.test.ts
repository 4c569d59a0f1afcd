import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { claim } from '../support/actors/claim.ts'
import { type CommandResult, runOperatorCommand } from '../support/actors/operator-command.ts'
import { emptyPostgres, sqliteOnly } from '../support/postgres/engines.ts'
import {
  failedStart,
  newTenant,
  type Settings,
  startService,
  TRUST_LOCAL_PROXY,
} from '../support/process/service-process.ts'
import { freePort } from '../support/transport/free-port.ts'

// storage/move/move.test.ts tests what is copied and what prevents a move.

const move = (
  settings: Settings,
  from: string,
  to: string,
  ...more: string[]
): Promise<CommandResult> =>
  runOperatorCommand(settings, 'move', '--from', from, '--to', to, ...more)

test('after a move in either direction tokens, keys, claims and sign-outs are as before, and ids continue', {
  skip: sqliteOnly,
}, async (t) => {
  const PORT = String(await freePort())
  const onSqlite = await startService(t, { ...TRUST_LOCAL_PROXY, PORT })
  const { DATA_DIR } = onSqlite.settings
  const tenant = await newTenant(onSqlite)
  await claim(tenant, onSqlite.browser(), 'Grace Hopper')
  const signIn = async (service: typeof onSqlite, name: string) =>
    tenant.at(service.agent).signIn(service.browser(), name)
  const [kept, refreshed, ended] = [
    await signIn(onSqlite, 'Ada Lovelace'),
    await signIn(onSqlite, 'Ada Lovelace'),
    await signIn(onSqlite, 'Ada Lovelace'),
  ]
  await tenant.edge('logout', { refresh_token: ended.refresh_token })
  const [users, events, status] = [
    await tenant.users(),
    await tenant.events(),
    await tenant.status(),
  ]

  const postgres = { DATA_DIR, PORT, DATABASE_URL: await emptyPostgres() }
  const running = await move(postgres, 'sqlite', 'postgres')
  assert.deepEqual([running.status, running.stdout], [1, ''])
  assert.match(
    running.stderr,
    /^A process is using .*gatehouse\.db\. Stop the service, then try again\./,
  )
  await onSqlite.end('SIGTERM')

  const dry = await move(postgres, 'sqlite', 'postgres', '--dry-run')
  assert.equal(dry.status, 0, dry.stderr)
  assert.match(dry.stdout, /^ +1 {2}users$/m)
  assert.match(
    dry.stdout,
    /Nothing was written\. The move would copy \d+ rows; nothing prevents it\.\n$/,
  )
  const there = await move(postgres, 'sqlite', 'postgres')
  assert.equal(there.status, 0, there.stderr)
  assert.match(
    there.stdout,
    /Moved \d+ rows, .*\nThe SQLite file is now .*\nNext: start the service with DATABASE_URL set\./,
  )
  assert.match(there.stderr, /^(\d+% of the rows\n)*100% of the rows\n$/, 'plain lines, not a bar')
  const again = await move(postgres, 'sqlite', 'postgres')
  assert.match(again.stderr, /There is no database/)

  // A start with the old settings serves nothing, instead of an empty database.
  const unset = await failedStart(t, { DATA_DIR, PORT })
  assert.match(
    unset.stderr,
    /It was moved to PostgreSQL \(.*gatehouse\.db\.moved-.*\): set DATABASE_URL/,
  )

  const onPostgres = await startService(t, { ...TRUST_LOCAL_PROXY, ...postgres })
  const same = tenant.at(onPostgres.agent)
  const { status: lifecycle, tier, created_at, runtime_profile } = await same.status()
  assert.deepEqual(
    [lifecycle, tier, created_at, runtime_profile],
    ['claimed', 'free', status.created_at, 'v1-1'],
    'the management key works, and the label stays',
  )
  assert.deepEqual(await same.users(), users)
  assert.deepEqual(await same.events(), events)
  assert.equal(await same.isValid(kept.access_token), true)
  assert.equal(await same.isValid(ended.access_token), false, 'signed out before the move')
  await same.assertRefreshRejected(ended.refresh_token, 'invalidRefreshToken')
  const next = await same.refresh(refreshed.refresh_token)
  assert.deepEqual(
    [await same.isValid(next.access_token), await same.isValid(refreshed.access_token)],
    [true, false],
  )
  await same.edge('logout', { refresh_token: kept.refresh_token })
  const newcomer = await signIn(onPostgres, 'Alan Turing')
  assert.deepEqual(
    (await same.users()).map(({ id, email }) => [id, email]),
    [
      [1, 'ada@example.com'],
      [2, 'alan@example.com'],
    ],
  )
  const lastEvent = (await same.events()).at(-1)?.id ?? 0
  assert.equal((await move(postgres, 'postgres', 'sqlite')).status, 1, 'refused while it runs')
  await onPostgres.end('SIGTERM')

  const back = await move(postgres, 'postgres', 'sqlite')
  assert.equal(back.status, 0, back.stderr)
  assert.match(
    back.stdout,
    /is marked as moved: .*\nNext: unset DATABASE_URL, then start the service\./,
  )
  const marked = await failedStart(t, postgres)
  assert.match(
    marked.stderr,
    /^Gatehouse cannot start: the PostgreSQL database .* was moved to SQLite on .*\n$/,
  )

  const home = await startService(t, { ...TRUST_LOCAL_PROXY, DATA_DIR, PORT })
  const atHome = tenant.at(home.agent)
  assert.equal((await atHome.status()).status, 'claimed')
  assert.equal(await atHome.isValid(newcomer.access_token), true)
  assert.deepEqual(
    [await atHome.isValid(kept.access_token), await atHome.isValid(ended.access_token)],
    [false, false],
  )
  await atHome.assertRefreshRejected(kept.refresh_token, 'invalidRefreshToken')
  await atHome.refresh(next.refresh_token)
  await signIn(home, 'Grace Hopper')
  assert.equal((await atHome.users()).at(-1)?.id, 3)
  assert.deepEqual(
    (await atHome.events(`&after=${lastEvent}`)).map(({ event, id }) => [event, id - lastEvent]),
    [
      ['token_refreshed', 1],
      ['login_started', 2],
      ['authorize', 3],
    ],
  )
  await home.end('SIGTERM')
  assert.deepEqual(
    readdirSync(DATA_DIR)
      .filter((name) => !name.includes('.moved-'))
      .sort(),
    ['gatehouse.db', 'keys.json'],
  )
})

test('gatehouse move without a direction, with unknown words or without DATABASE_URL changes nothing', async (t) => {
  const service = await startService(t)
  await service.end('SIGTERM')
  const { DATA_DIR } = service.settings
  const before = readdirSync(DATA_DIR)
  for (const args of [
    [],
    ['--from', 'sqlite'],
    ['--from', 'sqlite', '--to', 'sqlite'],
    ['--to', 'postgres', 'x'],
  ]) {
    const { status, stderr } = await runOperatorCommand({ DATA_DIR }, 'move', ...args)
    assert.equal(status, 2, stderr)
  }
  const unset = await move({ DATA_DIR }, 'sqlite', 'postgres')
  assert.deepEqual([unset.status, unset.stdout], [1, ''])
  assert.match(unset.stderr, /^Set DATABASE_URL to the PostgreSQL database/)
  const DATABASE_URL = `postgres://nobody:geheim@127.0.0.1:${await freePort()}/none`
  const unreachable = await move({ DATA_DIR, DATABASE_URL }, 'sqlite', 'postgres')
  assert.equal(unreachable.status, 1)
  assert.match(unreachable.stderr, /^The PostgreSQL database cannot be used \(.*ECONNREFUSED.*\)/)
  assert.doesNotMatch(unreachable.stderr, /geheim/)
  assert.deepEqual(readdirSync(DATA_DIR), before)
})
