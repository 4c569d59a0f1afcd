import path from 'node:path'
import { run } from '../../service/test/support/process/run.ts'
import { FREE_ADDRESS, query, until, urlOf } from './patroni-cluster.ts'

const PORT = 5433

/** A server of its own in a restored folder, without Patroni. */
export class RestoredServer {
  readonly url = urlOf(`${FREE_ADDRESS}:${PORT}`)
  readonly data: string

  constructor(data: string) {
    this.data = data
  }

  /** Waits until it accepts writes. */
  async start(): Promise<void> {
    const options = [
      `listen_addresses=${FREE_ADDRESS}`,
      `port=${PORT}`,
      `unix_socket_directories=${this.data}`,
      // Patroni's file names those of the node.
      `hba_file=${this.data}/pg_hba.conf`,
      `ident_file=${this.data}/pg_ident.conf`,
      // Nothing replicates from it: a commit would wait without end. And it must not write into the archive of the cluster.
      'synchronous_standby_names=',
      'archive_mode=off',
    ].map((each) => `-c ${each}`)
    const log = path.join(this.data, 'server.log')
    await this.#control('-o', options.join(' '), '-l', log, '-t', '120', 'start')
    await until('the restored server accepts writes', 120_000, async () => {
      const [row] = await this.sql('select pg_is_in_recovery() as standby').catch(() => [])
      return row?.standby === false
    })
  }

  stop(): Promise<void> {
    return this.#control('stop')
  }

  sql(text: string): Promise<Record<string, unknown>[]> {
    return query({ host: this.data, port: PORT }, text)
  }

  async #control(...args: readonly string[]): Promise<void> {
    const { CLUSTER_POSTGRES: postgres = '' } = process.env
    await run(path.join(postgres, 'pg_ctl'), ['-D', this.data, '-w', ...args], { timeout: 150_000 })
  }
}
