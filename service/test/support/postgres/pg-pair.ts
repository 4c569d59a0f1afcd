import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { waitUntil } from '../process/wait-until.ts'
import { PairMember } from './pair-member.ts'
import { initializeData, ownedByServer, runAsServer } from './pg-process.ts'

/** A PostgreSQL primary with one streaming standby, and the faults of a failover. */
export interface PgPair {
  readonly primary: PairMember
  readonly standby: PairMember
  /** The standby receives everything so far, and then stops receiving changes. */
  lag(): Promise<void>
  /** Kills the primary with all its processes, as a power failure does. */
  kill(): Promise<void>
  /** Makes the standby the primary; the former primary takes the place of the standby. Resolves when it accepts writes. */
  promote(): Promise<void>
  /** Starts the killed former primary again, with its own data: a second primary of an older timeline. */
  revive(): Promise<void>
  /** Replaces the former primary by a fresh standby of the primary. */
  rejoin(): Promise<void>
  stop(): Promise<void>
}

/** Copies the data of a running primary, as pg_basebackup does, which the package of the binaries lacks. */
async function copyPrimary(primary: PairMember, standby: PairMember): Promise<void> {
  const client = new Client(primary.url)
  await client.connect()
  try {
    await client.query("select pg_backup_start('standby', fast => true)")
    await runAsServer('cp', ['-a', primary.data, standby.data], primary.folder).catch(
      unlessOnlyVanished,
    )
    const { rows } = await client.query(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    )
    const files = {
      backup_label: String(rows[0]?.labelfile),
      'standby.signal': '',
      'postgresql.auto.conf': `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres application_name=standby'\n`,
    }
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(standby.data, name), content)
      await ownedByServer(join(standby.data, name))
    }
    for (const name of ['postmaster.pid', 'postmaster.opts']) {
      await rm(join(standby.data, name), { force: true })
    }
  } finally {
    await client.end()
  }
}

/** A running server deletes files, such as old WAL segments, while they are copied; recovery doesn't need them. */
function unlessOnlyVanished(error: unknown): void {
  const [, ...lines] = String(error).replace('cp failed:', '\n').trim().split('\n')
  if (lines.length === 0 || !lines.every((line) => line.includes('No such file or directory'))) {
    throw error
  }
}

/** With `synchronous`, a commit is acknowledged only after the standby has stored it. */
export async function startPair({
  synchronous,
}: {
  readonly synchronous: boolean
}): Promise<PgPair> {
  let [primary, standby] = [await PairMember.create(), await PairMember.create()]
  await initializeData(primary.folder, primary.data)
  await primary.start()

  const rejoin = async (): Promise<void> => {
    await standby.discard()
    await copyPrimary(primary, standby)
    await standby.start()
    if (synchronous) {
      await primary.set('synchronous_standby_names', 'standby')
    }
    const state = "select 1 from pg_stat_replication where state = 'streaming' and sync_state = "
    await waitUntil('the standby follows', async () => {
      const [result] = await primary.run(`${state} '${synchronous ? 'sync' : 'async'}'`)
      return result?.rowCount === 1
    })
  }
  await rejoin()

  return {
    get primary() {
      return primary
    },
    get standby() {
      return standby
    },
    async lag() {
      const [position] = await primary.run('select pg_current_wal_lsn()::text as lsn')
      await waitUntil('the standby has everything so far', async () => {
        const [result] = await standby.run(
          `select 1 where pg_last_wal_replay_lsn() >= '${position?.rows[0]?.lsn}'::pg_lsn`,
        )
        return result?.rowCount === 1
      })
      await standby.set('primary_conninfo', '')
      await waitUntil('the standby stops receiving', async () => {
        const [result] = await standby.run('select 1 from pg_stat_wal_receiver')
        return result?.rowCount === 0
      })
    },
    kill: () => primary.kill(),
    async promote() {
      const [result] = await standby.run(
        'select pg_promote(wait => true, wait_seconds => 60) as promoted',
      )
      assert.equal(result?.rows[0]?.promoted, true)
      ;[primary, standby] = [standby, primary]
    },
    revive: () => standby.start(),
    rejoin,
    async stop() {
      for (const member of [primary, standby]) {
        await member.stop('QUIT')
        await rm(member.folder, { recursive: true, force: true })
      }
    },
  }
}
