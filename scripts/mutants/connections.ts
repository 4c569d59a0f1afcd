import type { Mutant } from './mutant.ts'

/** Which PostgreSQL server a connection may lead to. */
export const CONNECTIONS: readonly Mutant[] = [
  {
    name: 'a new connection to a standby is used',
    file: 'service/src/storage/postgres/check-server.ts',
    find: 'if (rows[0]?.standby !== false) throw new ServerInRecovery()',
    replace: '',
    tests: ['service/test/storage/standby.test.ts'],
    postgres: true,
  },
  {
    name: 'a connection that rejects writes returns to the pool',
    file: 'service/src/storage/postgres/pool.ts',
    find: 'error instanceof DatabaseError && !isFromStandby(error) &&',
    replace: 'error instanceof DatabaseError &&',
    tests: ['service/test/storage/standby.test.ts'],
    postgres: true,
  },
  {
    name: 'a write that a read-only server rejected has an unknown outcome',
    file: 'service/src/storage/postgres/pool.ts',
    find: 'if (isFromStandby(error)) throw classifyError(error)',
    replace: '',
    tests: ['service/test/storage/standby.test.ts'],
    postgres: true,
  },
  {
    name: 'a host that fails stays the current one',
    file: 'service/src/storage/postgres/server-client.ts',
    find: 'this.#hosts.failed(this.#url)',
    replace: '',
    tests: ['service/test/storage/several-hosts.test.ts'],
    postgres: true,
  },
  {
    name: 'a call tries one host only',
    file: 'service/src/storage/postgres/hosts.ts',
    find: 'failures.length === hosts.count ||',
    replace: 'failures.length === 1 ||',
    tests: ['service/test/storage/several-hosts.test.ts'],
    postgres: true,
  },
  {
    name: 'two failures of one host skip the next host',
    file: 'service/src/storage/postgres/hosts.ts',
    find: 'if (url === this.current) this.#at',
    replace: 'this.#at',
    tests: ['service/src/storage/postgres/hosts.test.ts'],
  },
  {
    name: 'the error of a bad database URL repeats the host',
    file: 'service/src/storage/postgres/database-url.ts',
    find: '`must name each host',
    replace: 'hosts + `must name each host',
    tests: ['service/src/storage/postgres/database-url.test.ts'],
  },
  {
    name: 'a DATABASE_URL that asks for a standby is accepted',
    file: 'service/src/storage/postgres/database-url.ts',
    find: "session !== undefined && session !== 'read-write' && session !== 'primary'",
    replace: 'session === null',
    tests: ['service/test/process/config.test.ts'],
  },
]
