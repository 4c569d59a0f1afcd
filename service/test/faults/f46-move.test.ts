import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Move, moveDatabase } from '../../src/storage/maintenance/move/move.ts'
import { runOperatorCommand } from '../support/actors/operator-command.ts'
import { count, figure, fullOrShort, seconds } from '../support/faults/figures.ts'
import { contentOf, fillEveryTable } from '../support/move/every-table.ts'
import { generate } from '../support/population/generate.ts'
import { Population } from '../support/population/population.ts'
import { emptyPostgres, freshFolder, sqliteOnly } from '../support/postgres/engines.ts'
import { openTestStorage } from '../support/postgres/storage.ts'
import { waitUntil } from '../support/process/wait-until.ts'

type Location = Move['from']

const PROCESS = path.resolve(import.meta.dirname, '../support/move/moving-process.ts')
const USERS = fullOrShort(100_000, 1_000)

test(`F46: a deployment with ${count(USERS)} users moves to PostgreSQL and back without a difference`, {
  skip: sqliteOnly,
  timeout: fullOrShort(900_000, 120_000),
}, async (t) => {
  const DATA_DIR = path.join(await freshFolder(), 'data')
  const sqlite: Location = { engine: 'sqlite', file: path.join(DATA_DIR, 'gatehouse.db') }
  await generate(sqlite, new Population(USERS))
  const before = await contentOf(sqlite)
  assert.equal((before.users as unknown[]).length, USERS)
  const settings = { DATA_DIR, DATABASE_URL: await emptyPostgres() }
  const postgres: Location = { engine: 'postgres', url: settings.DATABASE_URL }
  const move = async (from: string, to: string): Promise<number> => {
    const began = performance.now()
    const { status, stdout, stderr } = await runOperatorCommand(
      settings,
      'move',
      '--from',
      from,
      '--to',
      to,
    )
    assert.equal(status, 0, stderr)
    assert.match(stdout, new RegExp(`^ +${count(USERS)} {2}users$`, 'm'))
    return performance.now() - began
  }

  const there = await move('sqlite', 'postgres')
  assert.deepEqual(await contentOf(postgres), before)
  const back = await move('postgres', 'sqlite')
  assert.deepEqual(await contentOf(sqlite), before)
  const rows = Object.values(before).reduce<number>(
    (all, table) => all + (table as unknown[]).length,
    0,
  )
  figure(
    t,
    `F46: ${count(USERS)} users, ${count(rows)} rows: ${seconds(there)} to PostgreSQL, ${seconds(back)} back`,
  )
})

/** Moves in a process of its own, and kills it when this share of the rows is copied and verified. */
async function killedMove(
  t: TestContext,
  from: Location,
  to: Location,
  stopAt: number,
): Promise<void> {
  await waitUntil(
    'the move begins, once PostgreSQL has ended the session of the last one',
    async () => {
      const child = spawn(process.execPath, [PROCESS, JSON.stringify({ from, to, stopAt })], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      t.after(() => child.kill('SIGKILL'))
      const exited = once(child, 'exit')
      const stopped = await Promise.race([
        once(child.stdout, 'data').then(([line]) => String(line)),
        exited,
      ])
      child.kill('SIGKILL')
      await exited
      return stopped === 'stopped\n'
    },
  )
}

test('F46: a move that is killed at any point changes neither database, and can be repeated', {
  skip: sqliteOnly,
}, async (t) => {
  const sqlite: Location = {
    engine: 'sqlite',
    file: path.join(await freshFolder(), 'gatehouse.db'),
  }
  const { close } = await openTestStorage(t, 'sqlite', { database: sqlite })
  await close()
  await fillEveryTable(sqlite.file)
  const before = await contentOf(sqlite)
  const postgres: Location = { engine: 'postgres', url: await emptyPostgres() }
  const repeat = (from: Location, to: Location): Promise<void> =>
    waitUntil('the move begins, once PostgreSQL has ended the session of the last one', () =>
      moveDatabase({
        from,
        to,
        dryRun: false,
        now: Date.now(),
        progress: () => {},
        warn: () => {},
      }).then(
        () => true,
        (error: Error) => {
          if (/A process serves|Another session uses/.test(error.message)) {
            return false
          }
          throw error
        },
      ),
    )

  const points = fullOrShort([0.1, 0.5, 1], [0.5])
  for (const stopAt of points) {
    const target: Location = { engine: 'postgres', url: await emptyPostgres() }
    await killedMove(t, sqlite, target, stopAt)
    assert.deepEqual(await contentOf(sqlite), before)
    for (const [table, rows] of Object.entries(await contentOf(target))) {
      assert.deepEqual(rows, [], table)
    }
  }
  await repeat(sqlite, postgres)

  for (const stopAt of points) {
    await killedMove(t, postgres, sqlite, stopAt)
    const found: string[] = readdirSync(path.dirname(sqlite.file))
    assert.equal(found.includes('gatehouse.db'), false, 'an unfinished file has another name')
    assert.deepEqual(await contentOf(postgres), before)
  }
  await repeat(postgres, sqlite)
  assert.deepEqual(await contentOf(sqlite), before)
  figure(
    t,
    `F46: killed at ${points.map((point) => `${point * 100}%`).join(', ')} in each direction: 0 rows lost, 0 left over`,
  )
})
