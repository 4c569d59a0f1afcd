import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, type QueryResult } from 'pg'
import { run } from '../process/run.ts'
import { freePort } from '../transport/free-port.ts'
import { launch, type Running, serverFolder } from './pg-process.ts'

const SETTINGS = ['synchronous_commit=on', 'full_page_writes=on', 'wal_keep_size=256MB']

/** One of two servers. Its address stays the same over kills and copies. */
export class PairMember {
  readonly port: number
  /** Of the database `postgres`. */
  readonly url: string
  readonly folder: string
  readonly data: string
  #running: Running | null = null

  private constructor(port: number, folder: string) {
    this.port = port
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`
    this.folder = folder
    this.data = join(folder, 'data')
  }

  static async create(): Promise<PairMember> {
    return new PairMember(await freePort(), await serverFolder())
  }

  async start(): Promise<void> {
    this.#running = await launch({ ...this, settings: SETTINGS })
  }

  /** Runs the statements in order on one connection. */
  async run(...statements: readonly string[]): Promise<QueryResult<Record<string, unknown>>[]> {
    const client = new Client(this.url)
    await client.connect()
    try {
      const results = []
      for (const statement of statements) {
        results.push(await client.query(statement))
      }
      return results
    } finally {
      await client.end()
    }
  }

  async set(name: string, value: string): Promise<void> {
    await this.run(`alter system set ${name} = '${value}'`, 'select pg_reload_conf()')
  }

  /** Stopped first, so that the postmaster starts no process while its children are listed. */
  async kill(): Promise<void> {
    const postmaster = Number(
      (await readFile(join(this.data, 'postmaster.pid'), 'utf8')).split('\n')[0],
    )
    process.kill(postmaster, 'SIGSTOP')
    const processes = (await run('ps', ['-A', '-o', 'pid=,ppid=']))
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
    for (const [pid, parent] of processes) {
      if (Number(parent) === postmaster) {
        process.kill(Number(pid), 'SIGKILL')
      }
    }
    process.kill(postmaster, 'SIGKILL')
    await this.stop('KILL keep')
  }

  async stop(command = 'INT keep'): Promise<void> {
    await this.#running?.stop(command)
    this.#running = null
  }

  async discard(): Promise<void> {
    await this.stop('QUIT keep')
    await rm(this.data, { recursive: true, force: true })
  }
}
