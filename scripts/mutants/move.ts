// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { Mutant } from './mutant.ts'

const COPY = ['service/test/storage/move/move.test.ts']
const START = ['service/test/process/start.test.ts']

/** `gatehouse move`, and starts that would hide or fork the data. */
export const MOVE: readonly Mutant[] = [
  {
    name: 'a move does not compare what it reads back',
    file: 'service/src/storage/move/move.ts',
    find: 'if (!stored.equals(sent)) {',
    replace: 'if (false) {',
    tests: COPY,
    postgres: true,
  },
  {
    name: 'a checksum counts rows and ignores their values',
    file: 'service/src/storage/move/checksum.ts',
    find: "row.map(canonical).join('')",
    replace: "''",
    tests: COPY,
    postgres: true,
  },
  {
    name: 'a move writes to a target that has rows',
    file: 'service/src/storage/move/move.ts',
    find: 'if (count === 0) continue',
    replace: 'continue',
    tests: COPY,
    postgres: true,
  },
  {
    name: 'a move copies SQLite while a process uses it',
    file: 'service/src/storage/sqlite/file.ts',
    find: "db.exec('begin exclusive')",
    replace: "db.exec('pragma locking_mode = normal; begin')",
    tests: COPY,
    postgres: true,
  },
  {
    name: 'a process that serves PostgreSQL holds no lock',
    file: 'service/src/storage/postgres/feed/listener.ts',
    find: 'await shareServiceLock(client)',
    replace: '',
    tests: COPY,
    postgres: true,
  },
  {
    name: 'a move keeps the positions of ids at the highest id',
    file: 'service/src/storage/move/move.ts',
    find: 'if (!table.hasSequence) return',
    replace: 'return',
    tests: COPY,
    postgres: true,
  },
  {
    name: 'a move forgets the floor for the ids of users and events',
    file: 'service/src/storage/move/move.ts',
    find: 'if (floor === 0) return',
    replace: 'return',
    tests: COPY,
    postgres: true,
  },
  {
    name: 'a rollback leaves the positions of ids moved',
    file: 'service/src/storage/move/postgres-target.ts',
    find: '`alter table ${name} alter column id restart with ${position + 1}`',
    replace: "`select setval(pg_get_serial_sequence('${name}', 'id'), ${position})`",
    tests: COPY,
    postgres: true,
  },
  {
    name: 'a move leaves unknown tables behind',
    file: 'service/src/storage/move/schema.ts',
    find: 'if (unknown.length === 0) return',
    replace: 'return',
    tests: COPY,
    postgres: true,
  },
  {
    name: 'a moved SQLite file keeps its name',
    file: 'service/src/storage/move/sqlite-source.ts',
    find: 'renameSync(file, moved)',
    replace: '',
    tests: COPY,
    postgres: true,
  },
  {
    name: 'a moved PostgreSQL database is served',
    file: 'service/src/storage/postgres/moved.ts',
    find: 'if (mark === undefined) return',
    replace: 'return',
    tests: COPY,
    postgres: true,
  },
  {
    name: 'a dry run begins to write',
    file: 'service/src/storage/move/move.ts',
    find: '  if (!dryRun) {\n    await target.begin(tables)',
    replace: '  {\n    await target.begin(tables)',
    tests: COPY,
    postgres: true,
  },
  {
    name: 'a start creates a database beside the keys of another one',
    file: 'service/src/storage/missing-database.ts',
    find: 'if (!existsSync(keyFile) || !isMissing(file)) return',
    replace: 'return',
    tests: START,
  },
  {
    name: 'a damaged database is reported as a missing permission',
    file: 'service/src/storage/sqlite/file-errors.ts',
    find: "11: 'damaged'",
    replace: "11: 'forbidden'",
    tests: START,
  },
]
