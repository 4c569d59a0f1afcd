import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { findProxy, newPlace, runProxy } from './proxy.ts'

/** The oldest Debian release with a PgBouncer that supports prepared statements in transaction mode (1.21). */
const RELEASE = 'trixie'

/** A string says why there is none. */
export const pgBouncer = await findProxy('pgbouncer', RELEASE)

interface PgBouncer {
  /** The URL of the server's database through the pooler. */
  urlOf(direct: string): string
}

/** Starts a pooler in front of the server of `direct`. */
export async function startPgBouncer(
  t: TestContext,
  direct: string,
  settings: readonly string[] = [
    'pool_mode=transaction',
    'max_prepared_statements=500',
    'default_pool_size=4',
  ],
): Promise<PgBouncer> {
  if (typeof pgBouncer === 'string') {
    throw new Error(pgBouncer)
  }
  const { port, folder } = await newPlace()
  const server = new URL(direct)
  const users = path.join(folder, 'users.txt')
  const file = path.join(folder, 'pgbouncer.ini')
  await writeFile(users, `"${server.username}" ""\n`, { mode: 0o644 })
  await writeFile(
    file,
    [
      '[databases]',
      // As in docs/operating.md.
      `* = host=${server.hostname} port=${server.port} connect_query='select gatehouse_fence_v1()'`,
      '[pgbouncer]',
      'listen_addr=127.0.0.1',
      `listen_port=${port}`,
      'unix_socket_dir=',
      'auth_type=trust',
      `auth_file=${users}`,
      // It does not run as root.
      ...(process.getuid?.() === 0 ? ['user=nobody'] : []),
      ...settings,
    ].join('\n'),
  )
  await runProxy(t, pgBouncer, port, [file])
  return {
    urlOf(url) {
      const pooled = new URL(url)
      pooled.port = String(port)
      return pooled.href
    },
  }
}
