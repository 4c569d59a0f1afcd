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
]
