/**
 * `npm run test:cluster`: the service on a Patroni cluster under faults (docs/patroni.md, docs/reliability.md). On request only:
 * it takes minutes, and downloads 30 MB of Debian packages once.
 *
 *   npm run test:cluster                          the short list, synchronous, three hosts in DATABASE_URL
 *   npm run test:cluster -- --async --haproxy     the same with other settings
 *   npm run test:cluster -- --patroni-urls        the same with PATRONI_URLS
 *   npm run test:cluster -- --all                 every event
 *   npm run test:cluster -- --all --restart       and the second instance restarts during each
 *   npm run test:cluster -- killPatroni cutNodes  these events
 *   npm run test:cluster -- --patroni=trixie      Patroni of that Debian release, with etcd's API v3
 *   npm run test:cluster -- --sabotage cutNodes   deletes an acknowledged session before the fault: the run must fail
 *   npm run test:cluster -- --backup              backups with pgBackRest and pg_basebackup under load, each restored
 *   npm run test:cluster -- --upgrade             PostgreSQL 17 of Debian 13 by pg_upgrade; with --patroni=trixie, its Patroni as well
 *
 * This file checks what the machine has, and starts matrix.ts in namespaces of its own: needs no root, and every process that it
 * starts ends with it.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  canUnpackDebian,
  LOADER,
  type Program,
  unpackedDebian,
  unpackedPackages,
} from '../../service/test/support/actors/debian-program.ts'

const PACKAGES = [
  'patroni',
  'python3-etcd',
  'etcd-server',
  'etcd-client',
  'haproxy',
  'iproute2',
  'postgresql',
]

/** PostgreSQL refuses to run as root, so root becomes an unprivileged user in the namespace. */
const IDENTITY =
  process.getuid?.() === 0 ? ['--map-user=65534', '--map-group=65534'] : ['--map-current-user']
const NAMESPACES = [
  '--user',
  ...IDENTITY,
  '--keep-caps',
  '--net',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
]

const skip = (reason: string): never => {
  process.stdout.write(`test:cluster is skipped: ${reason}\n`)
  process.exit(0)
}

if (process.platform !== 'linux') {
  skip('it needs Linux')
}
if (!(await canUnpackDebian())) {
  skip('there is no apt-get or dpkg-deb to unpack Debian packages')
}
if (!existsSync('/usr/bin/python3')) {
  skip('there is no /usr/bin/python3, which runs Patroni')
}
const tried = spawnSync('unshare', [...NAMESPACES, '--mount-proc', 'true'], { encoding: 'utf8' })
if (tried.status !== 0) {
  skip(`this kernel allows no user namespaces (${tried.error?.message ?? tried.stderr.trim()})`)
}
const root = await unpackedPackages('patroni', PACKAGES, 'usr/bin/patroni').catch(
  (error: unknown) => skip(`Debian's packages are out of reach (${String(error)})`),
)
const postgres = [`/usr/lib/postgresql`, `${root}/usr/lib/postgresql`]
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((version) => path.join(folder, version, 'bin')))
  .find((folder) => existsSync(path.join(folder, 'postgres')))
if (postgres === undefined) {
  skip('there is no PostgreSQL server in the packages')
}

const ARCHITECTURE = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
const libraries = path.join(root, 'usr/lib', ARCHITECTURE)
const work = await mkdtemp(path.join(tmpdir(), 'gatehouse-cluster-'))
const modules = path.join(root, 'usr/lib/python3/dist-packages')
const release = process.argv
  .find((word) => word.startsWith('--patroni='))
  ?.slice('--patroni='.length)
const newer = release === undefined ? null : await newerPatroni(release)

const pgbackrest: Program | null = process.argv.includes('--backup')
  ? await unpackedDebian('pgbackrest', 'usr/bin/pgbackrest').catch((error: unknown) =>
      skip(`the Debian package of pgBackRest is out of reach (${String(error)})`),
    )
  : null
const bin = path.join(work, 'bin')
const upgrade = process.argv.includes('--upgrade') ? await newerPostgres() : ''

/** Patroni itself has no compiled parts: of another release, only its own modules are used, with this release's Python. */
async function newerPatroni(
  release: string,
): Promise<{ readonly bin: string; readonly modules: string }> {
  const folder = await unpackedPackages('patroni', ['patroni'], 'usr/bin/patroni', release)
  const own = path.join(work, 'python')
  await mkdir(own)
  const from = path.join(folder, 'usr/lib/python3/dist-packages')
  for (const name of readdirSync(from).filter((each) => each.startsWith('patroni'))) {
    await symlink(path.join(from, name), path.join(own, name))
  }
  return { bin: path.join(folder, 'usr/bin'), modules: `${own}:` }
}

/**
 * The programs of PostgreSQL 17, each as a script that starts it with the C library of its own release. By the name of the script a
 * program finds the others, and the folders beside them.
 */
async function newerPostgres(): Promise<string> {
  const own = 'usr/lib/postgresql/17'
  const from = await unpackedPackages(
    'postgresql-17',
    ['postgresql-17'],
    `${own}/bin/postgres`,
    'trixie',
  ).catch((error: unknown) =>
    skip(`Debian's package of PostgreSQL 17 is out of reach (${String(error)})`),
  )
  const to = path.join(work, 'postgresql')
  await mkdir(path.join(to, own, 'bin'), { recursive: true })
  for (const each of [`${own}/lib`, 'usr/share']) {
    await symlink(path.join(from, each), path.join(to, each))
  }
  const libraries = path.join(from, 'usr/lib', ARCHITECTURE)
  for (const name of readdirSync(path.join(from, own, 'bin'))) {
    const command = `${path.join(from, LOADER)} --argv0 "$0" --library-path ${libraries} ${path.join(from, own, 'bin', name)}`
    await writeFile(path.join(to, own, 'bin', name), `#!/bin/sh\nexec ${command} "$@"\n`, {
      mode: 0o755,
    })
  }
  return path.join(to, own, 'bin')
}

const child = spawn(
  'unshare',
  [
    ...NAMESPACES,
    '--mount-proc',
    // The first process of the namespace reaps orphans, which Node does not.
    ...['bash', '-c', '"$@" & wait $!', 'init'],
    ...[
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      path.join(import.meta.dirname, 'matrix.ts'),
    ],
    ...process.argv.slice(2),
  ],
  {
    stdio: 'inherit',
    env: {
      PATH: `${bin}:${postgres}:${root}/usr/bin:${root}/usr/sbin:${process.env.PATH}:/usr/sbin:/sbin`,
      LC_ALL: 'C',
      LD_LIBRARY_PATH: libraries,
      PYTHONPATH: `${newer?.modules ?? ''}${modules}`,
      CLUSTER_ROOT: root,
      CLUSTER_PATRONI: newer?.bin ?? path.join(root, 'usr/bin'),
      CLUSTER_ETCD: newer === null ? 'etcd' : 'etcd3',
      CLUSTER_POSTGRES: postgres,
      CLUSTER_UPGRADE: upgrade,
      CLUSTER_WORK: work,
      CLUSTER_BIN: bin,
      CLUSTER_PGBACKREST: pgbackrest?.path ?? '',
      CLUSTER_PGBACKREST_LIBRARIES: pgbackrest?.libraries ?? '',
      TMPDIR: work,
    },
  },
)
// unshare ignores SIGTERM while it waits; SIGKILL ends every process of the namespace (--kill-child).
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => child.kill('SIGKILL'))
}
child.on('exit', (code) => {
  process.stdout.write(`Logs: ${work}\n`)
  process.exitCode = code ?? 1
})
