import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { Client, type ClientConfig } from 'pg'
import { run } from '../../service/test/support/process/run.ts'
import { published } from '../../service/test/support/proxies/proxy.ts'

/** The nodes speak to each other in the first network and to the instances in the second. */
const NODES = '10.77.0'
const CLIENTS = '10.78.0'
const PASSWORD = 'gatehouse-test'
export const NUMBERS = [1, 2, 3] as const
export const HOSTS = NUMBERS.map((n) => `${CLIENTS}.${n}:5432`).join()
export const PATRONI_URLS = NUMBERS.map((n) => `http://${CLIENTS}.${n}:8008`).join()
/** For a restored server: `pg_hba.conf` of the cluster allows the network, and no node has the address. */
export const FREE_ADDRESS = `${CLIENTS}.254`
export const urlOf = (hosts: string, database = 'gatehouse'): string =>
  `postgres://gatehouse:${PASSWORD}@${hosts}/${database}`

/** Programs of Debian's packages, unpacked below `root`; those that the system has are used from there. */
export interface Programs {
  readonly root: string
  readonly postgres: string
  /** The folder of `patroni` and `patronictl`. */
  readonly patroni: string
  /** The section of Patroni's settings: `etcd` for its API v2, or `etcd3`. */
  readonly etcd: string
  readonly env: NodeJS.ProcessEnv
}

interface Status {
  readonly state: string
  readonly role: string
  readonly timeline?: number
  readonly replication?: readonly { readonly state: string; readonly sync_state: string }[]
}

/** What the database of the primary has. */
export interface Contents {
  readonly emails: ReadonlySet<string>
  /** The generation of each session, by its id. */
  readonly sessions: ReadonlyMap<number, number>
}

/**
 * Three nodes with etcd, Patroni and PostgreSQL, each in a network namespace, run with deploy/patroni/patroni.yml. Needs
 * namespaces of its own (run.ts), in which this process may change the network.
 */
export class PatroniCluster {
  readonly folder: string
  readonly synchronous: boolean
  readonly #programs: Programs
  /** The folder of PostgreSQL's programs. */
  postgres: string
  #dataName = 'data'
  readonly #namespaces: Record<number, number> = {}
  readonly #etcd: Record<number, number> = {}

  constructor(folder: string, programs: Programs, synchronous: boolean) {
    this.folder = folder
    this.#programs = programs
    this.postgres = programs.postgres
    this.synchronous = synchronous
  }

  async create(): Promise<void> {
    ip('link', 'set', 'lo', 'up')
    for (const [bridge, network] of [
      ['brn', NODES],
      ['brc', CLIENTS],
    ] as const) {
      ip('link', 'add', bridge, 'type', 'bridge')
      ip('addr', 'add', `${network}.254/24`, 'dev', bridge)
      ip('link', 'set', bridge, 'up')
    }
    for (const n of NUMBERS) {
      await this.#createNode(n)
    }
    for (const n of NUMBERS) {
      this.startEtcd(n)
    }
    await until('etcd has a leader', 30_000, () => this.#isEtcdHealthy())
    this.startPatroni(1)
    await until('the first primary', 60_000, () => this.primary())
    for (const n of [2, 3]) {
      this.startPatroni(n)
    }
    await this.whole()
    await until('patronictl lists the roles', 30_000, async () => {
      const list = await this.control('list')
      return ['Leader', this.synchronous ? 'Sync Standby' : 'Replica'].every((role) =>
        list.includes(role),
      )
    })
    await this.sql(1, `create role gatehouse login password '${PASSWORD}'`, 'postgres')
    await this.sql(1, 'grant pg_monitor to gatehouse', 'postgres')
    await this.sql(1, 'create database gatehouse owner gatehouse', 'postgres')
  }

  async #createNode(n: number): Promise<void> {
    const folder = this.#folderOf(n)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' })
    this.#namespaces[n] = holder.pid ?? 0
    await until('the namespace', 5_000, async () => {
      const own = execFileSync('readlink', ['/proc/self/ns/net']).toString()
      return execFileSync('readlink', [`/proc/${holder.pid}/ns/net`]).toString() !== own
    })
    for (const [link, bridge, device, network] of [
      [`vn${n}`, 'brn', 'eth0', NODES],
      [`vc${n}`, 'brc', 'eth1', CLIENTS],
    ] as const) {
      ip('link', 'add', link, 'type', 'veth', 'peer', 'name', device, 'netns', String(holder.pid))
      ip('link', 'set', link, 'master', bridge, 'up')
      this.#inside(n, 'ip', 'addr', 'add', `${network}.${n}/24`, 'dev', device)
      this.#inside(n, 'ip', 'link', 'set', device, 'up')
    }
    this.#inside(n, 'ip', 'link', 'set', 'lo', 'up')
    this.#configure(n)
  }

  /** Other programs of PostgreSQL, with another folder of data. Patroni must be stopped. */
  use(postgres: string, dataName: string): void {
    this.postgres = postgres
    this.#dataName = dataName
    for (const n of NUMBERS) {
      this.#configure(n)
    }
  }

  #configure(n: number): void {
    const folder = this.#folderOf(n)
    const settings = published('patroni/patroni.yml', {
      'name: node1': `name: node${n}`,
      'connect_address: 10.77.0.1': `connect_address: ${NODES}.${n}`,
      '\netcd:': `\n${this.#programs.etcd}:`,
      'synchronous_mode: true': `synchronous_mode: ${this.synchronous}`,
      'local all all peer': 'local all all trust',
      '/var/lib/postgresql/15/gatehouse': this.dataOf(n),
      '/usr/lib/postgresql/15/bin': this.postgres,
      '/var/lib/postgresql/.pgpass-patroni': `${folder}/pgpass`,
      '/var/run/postgresql': folder,
      // A namespace has no watchdog.
      'mode: required': "mode: 'off'",
    })
    writeFileSync(path.join(folder, 'patroni.yml'), settings)
  }

  readonly #folderOf = (n: number): string => path.join(this.folder, `node${n}`)
  readonly socketOf = this.#folderOf
  readonly dataOf = (n: number): string => path.join(this.#folderOf(n), this.#dataName)

  #inside(n: number, ...command: readonly string[]): void {
    execFileSync('nsenter', ['-t', String(this.#namespaces[n]), '-n', ...command], {
      stdio: 'ignore',
    })
  }

  #start(
    n: number,
    name: string,
    command: readonly string[],
    settings: NodeJS.Dict<string> = {},
  ): number {
    const log = openSync(path.join(this.#folderOf(n), `${name}.log`), 'a')
    const child = spawn('nsenter', ['-t', String(this.#namespaces[n]), '-n', ...command], {
      stdio: ['ignore', log, log],
      env: {
        ...this.#programs.env,
        HOME: this.#folderOf(n),
        ETCD_UNSUPPORTED_ARCH: process.arch,
        ...settings,
      },
    })
    return child.pid ?? 0
  }

  startEtcd(n: number): void {
    const settings = published('patroni/etcd.env', {
      'ETCD_NAME=etcd1': `ETCD_NAME=etcd${n}`,
      '_URLS=http://10.77.0.1:': `_URLS=http://${NODES}.${n}:`,
      '/var/lib/etcd/gatehouse': path.join(this.#folderOf(n), 'etcd'),
    })
    this.#etcd[n] = this.#start(
      n,
      'etcd',
      [path.join(this.#programs.root, 'usr/bin/etcd')],
      parseEnv(settings),
    )
  }

  killEtcd(n: number): void {
    process.kill(this.#etcd[n] ?? 0, 'SIGKILL')
  }

  async #isEtcdHealthy(): Promise<boolean> {
    const endpoints = NUMBERS.map((n) => `http://${NODES}.${n}:2379`).join()
    const etcdctl = path.join(this.#programs.root, 'usr/bin/etcdctl')
    const env = { ...this.#programs.env, ETCDCTL_API: '3' }
    return run(etcdctl, ['--endpoints', endpoints, 'endpoint', 'health'], {
      env,
      timeout: 8_000,
    }).then(
      () => true,
      () => false,
    )
  }

  startPatroni(n: number): void {
    this.#start(n, 'patroni', this.#patroni('patroni', path.join(this.#folderOf(n), 'patroni.yml')))
  }

  /** As `systemctl stop patroni`: it stops PostgreSQL, too. */
  async stopPatroni(n: number): Promise<void> {
    this.signal(this.patroniPids(n), 'SIGTERM')
    await until(
      `node${n} is stopped`,
      60_000,
      async () => [...this.patroniPids(n), ...this.postgresPids(n)].length === 0,
    )
  }

  #patroni(program: string, ...args: readonly string[]): string[] {
    return ['/usr/bin/python3', path.join(this.#programs.patroni, program), ...args]
  }

  /** `patronictl`, at the first node. */
  control(...args: readonly string[]): Promise<string> {
    return this.controlWith([], ...args)
  }

  /** `lines` are what an operator types. */
  async controlWith(lines: readonly string[], ...args: readonly string[]): Promise<string> {
    const command = this.#patroni(
      'patronictl',
      '-c',
      path.join(this.#folderOf(1), 'patroni.yml'),
      ...args,
    )
    const env = { ...this.#programs.env, LC_ALL: 'C.UTF-8', LANG: 'C.UTF-8' }
    const typed = ['-c', `printf '${lines.map((line) => `${line}\\n`).join('')}' | "$@"`, 'typed']
    const inside = ['nsenter', '-t', String(this.#namespaces[1]), '-n', ...command]
    return run('sh', [...typed, ...inside], { env, timeout: 120_000 })
  }

  /** Such as `patroni 3.0.2`. */
  async version(): Promise<string> {
    const [python = '', ...args] = this.#patroni('patroni', '--version')
    return (await run(python, args, { env: this.#programs.env })).trim()
  }

  /** To the synchronous standby, or to any if there is none. Patroni 4 has renamed the option. */
  async switchover(): Promise<void> {
    const primary = await this.primary()
    const candidate = `node${await this.synchronousStandby(primary)}`
    const leader = this.#programs.etcd === 'etcd' ? '--master' : '--leader'
    await this.control(
      'switchover',
      'gatehouse',
      leader,
      `node${primary}`,
      '--candidate',
      candidate,
      '--force',
    )
  }

  /** The node that holds the leader's lock, by its own word; 0 if there is none. */
  async primary(except = 0): Promise<number> {
    for (const n of NUMBERS) {
      if (n !== except && (await ask(n, '/primary')).status === 200) {
        return n
      }
    }
    return 0
  }

  /** Waits for it: an event may end before the next election. */
  anyPrimary(withinMs = 180_000): Promise<number> {
    return until('a primary', withinMs, () => this.primary())
  }

  async synchronousStandby(primary: number): Promise<number> {
    const order = `select application_name from pg_stat_replication order by sync_state desc limit 1`
    const [row] = await this.sql(primary, order, 'postgres')
    return Number(String(row?.application_name).slice(-1))
  }

  /** One primary, two standbys that stream, and one of them synchronous, if there should be one. */
  async whole(withinMs = 120_000): Promise<void> {
    await until('three nodes that stream', withinMs, async () => {
      const primary = await this.primary()
      if (primary === 0) {
        return false
      }
      const all = await Promise.all(NUMBERS.map((n) => this.status(n)))
      if (!all.every((each) => each?.state === 'running')) {
        return false
      }
      if (all.filter((each) => each?.role === 'replica').length !== 2) {
        return false
      }
      const standbys =
        all[primary - 1]?.replication?.filter(({ state }) => state === 'streaming') ?? []
      return (
        standbys.length === 2 &&
        (!this.synchronous || standbys.some((each) => each.sync_state === 'sync'))
      )
    })
  }

  async status(n: number): Promise<Status | null> {
    const { body } = await ask(n, '/patroni')
    try {
      return JSON.parse(body) as Status
    } catch {
      return null
    }
  }

  /** The nodes that accept writes, asked at their sockets. */
  async writable(): Promise<number[]> {
    const found: number[] = []
    for (const n of NUMBERS) {
      const rows = await this.sql(n, 'select pg_is_in_recovery() as standby', 'postgres').catch(
        () => [],
      )
      if (rows[0]?.standby === false) {
        found.push(n)
      }
    }
    return found
  }

  /** A query as superuser at the socket of a node, which no fault of the network reaches. */
  sql(n: number, text: string, database = 'gatehouse'): Promise<Record<string, unknown>[]> {
    return query({ host: this.#folderOf(n), database }, text)
  }

  async contents(): Promise<Contents> {
    const primary = await this.anyPrimary()
    const users = await this.sql(primary, 'select email from users')
    const sessions = await this.sql(primary, 'select id, generation from sessions')
    return {
      emails: new Set(users.map(({ email }) => String(email))),
      sessions: new Map(sessions.map(({ id, generation }) => [Number(id), Number(generation)])),
    }
  }

  /** A copy of a node by pg_basebackup, as the role that Patroni uses for it. */
  async baseBackup(n: number, folder: string): Promise<void> {
    const from = [
      '-h',
      `${NODES}.${n}`,
      '-U',
      'replicator',
      '-D',
      folder,
      '-X',
      'stream',
      '-c',
      'fast',
    ]
    const env = { ...this.#programs.env, PGPASSWORD: 'change-me-replication' }
    await run(path.join(this.#programs.postgres, 'pg_basebackup'), from, { env, timeout: 300_000 })
  }

  patroniPids(n: number): number[] {
    const file = path.join(this.#folderOf(n), 'patroni.yml')
    return processes().filter((pid) => {
      const words = commandLine(pid)
      return words.some((word) => word.endsWith('/bin/patroni')) && words.includes(file)
    })
  }

  /** The postmaster and its processes. */
  postgresPids(n: number): number[] {
    const file = path.join(this.dataOf(n), 'postmaster.pid')
    const postmaster = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
    if (!processes().includes(postmaster)) {
      return []
    }
    return [postmaster, ...processes().filter((pid) => parentOf(pid) === postmaster)]
  }

  signal(pids: readonly number[], signal: NodeJS.Signals): void {
    for (const pid of pids) {
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended.
      }
    }
  }

  /** A link that is down loses packets without an error. */
  cut(n: number, network: 'nodes' | 'clients' | 'both'): void {
    if (network !== 'clients') {
      ip('link', 'set', `vn${n}`, 'down')
    }
    if (network !== 'nodes') {
      ip('link', 'set', `vc${n}`, 'down')
    }
  }

  heal(): void {
    for (const n of NUMBERS) {
      for (const link of ['vn', 'vc']) {
        ip('link', 'set', `${link}${n}`, 'up')
      }
    }
  }
}

/** As superuser, at the socket in the folder `host`. */
export async function query(at: ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({
    user: 'postgres',
    database: 'gatehouse',
    connectionTimeoutMillis: 3_000,
    query_timeout: 5_000,
    ...at,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    client.end().catch(() => {})
  }
}

const ip = (...args: readonly string[]): void => {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Patroni's REST API. */
function ask(
  n: number,
  route: string,
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve) => {
    const request = get(
      { host: `${CLIENTS}.${n}`, port: 8008, path: route, timeout: 1_500, agent: false },
      (response) => {
        let body = ''
        response
          .setEncoding('utf8')
          .on('data', (text: string) => {
            body += text
          })
          .on('end', () => resolve({ status: response.statusCode ?? 0, body }))
          .on('error', () => resolve({ status: 0, body: '' }))
      },
    )
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve({ status: 0, body: '' }))
  })
}

const processes = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

const commandLine = (pid: number): string[] => readProc(pid, 'cmdline').split('\0')

/** The name of the program, in parentheses, may contain spaces. */
const parentOf = (pid: number): number =>
  Number(readProc(pid, 'stat').replace(/^.*\)/s, '').trim().split(' ')[1])

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

export async function until<T>(
  what: string,
  withinMs: number,
  check: () => Promise<T>,
): Promise<NonNullable<T>> {
  for (const deadline = performance.now() + withinMs; ; await sleep(200)) {
    const result = await check()
    if (result) {
      return result
    }
    if (performance.now() > deadline) {
      throw new Error(`${what}: not within ${withinMs / 1_000} s`)
    }
  }
}
