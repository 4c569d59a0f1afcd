import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { freePort } from '../../../../service/test/support/transport/free-port.ts'
import type { Bench } from '../../bench.ts'
import { type Program, startProgram } from '../../processes/program.ts'
import type { Glewlwyd } from './find.ts'

/** Starts it with an empty database of its own. */
export async function startGlewlwyd(
  { folder, placement }: Bench,
  program: Glewlwyd,
  name: string,
): Promise<Program> {
  const port = await freePort()
  const home = path.join(folder, `${name}-${port}`)
  mkdirSync(path.join(home, 'user_middleware'), { recursive: true })
  createDatabase(program, path.join(home, 'glewlwyd.db'))
  const config = path.join(home, 'glewlwyd.conf')
  writeFileSync(config, configOf(program, home, port))
  return startProgram({
    name,
    command: program.path,
    args: ['--config-file', config],
    env: program.libraries === null ? {} : { LD_LIBRARY_PATH: program.libraries },
    cores: placement.contender,
    readerCores: placement.load,
    folder,
    port,
    readyPath: '/api/',
  })
}

/** The schema of its Debian package. WAL is in its favor: it needs one sync per commit instead of three. */
function createDatabase({ root }: Glewlwyd, file: string): void {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal')
  database.exec(
    readFileSync(
      path.join(root, 'usr/share/dbconfig-common/data/glewlwyd/install/sqlite3'),
      'utf8',
    ),
  )
  database.close()
}

/** Debian's configuration, with our paths, plain HTTP as behind a proxy, and a quieter log. */
function configOf({ root }: Glewlwyd, home: string, port: number): string {
  const modules = path.join(root, 'usr/lib/glewlwyd')
  const settings = {
    external_url: `http://localhost:${port}`,
    api_prefix: 'api',
    log_mode: 'console',
    log_level: 'WARNING',
    cookie_domain: 'localhost',
    session_key: 'GLEWLWYD2_SESSION_ID',
    admin_scope: 'g_admin',
    profile_scope: 'g_profile',
    user_module_path: `${modules}/user`,
    user_middleware_module_path: `${home}/user_middleware`,
    client_module_path: `${modules}/client`,
    user_auth_scheme_module_path: `${modules}/scheme`,
    plugin_module_path: `${modules}/plugin`,
    hash_algorithm: 'SHA512',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const database = `database = { type = "sqlite3" path = ${JSON.stringify(`${home}/glewlwyd.db`)} };`
  return [`port=${port}`, 'cookie_secure=0', ...lines, database, ''].join('\n')
}
