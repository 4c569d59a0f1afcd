import type { Mutant } from '../mutant.ts'

const DURABILITY = 'service/src/storage/sqlite/durability.ts'
const WAITS = ['service/test/storage/sqlite/durability.test.ts']
const CHECKPOINTS = ['service/test/storage/sqlite/checkpoints.test.ts']
const ACKNOWLEDGE_AT_ONCE = {
  file: DURABILITY,
  find: "    if (sync === 'now') return this.#reach()",
  replace: `    if (sync === 'now') {
      this.#reach().catch(() => {})
      return Promise.resolve()
    }`,
}

/** The queue for the SQLite connection, and every wait for the disk (decision 64). */
export const DISK: readonly Mutant[] = [
  {
    name: 'the SQLite connection goes to the caller that asked last',
    file: 'service/src/storage/sqlite/connection-queue.ts',
    find: 'this.#waiting.shift()',
    replace: 'this.#waiting.pop()',
    tests: ['service/src/storage/sqlite/connection-queue.test.ts'],
  },
  { name: 'a commit is acknowledged before the disk has stored it', ...ACKNOWLEDGE_AT_ONCE, tests: WAITS },
  {
    name: 'a refresh is answered before the disk has stored it',
    ...ACKNOWLEDGE_AT_ONCE,
    tests: ['service/test/sessions/slow-disk.test.ts'],
  },
  {
    name: 'the power fails after a response that did not wait for the disk',
    ...ACKNOWLEDGE_AT_ONCE,
    tests: ['service/test/faults/f47-power-cut.test.ts'],
  },
  {
    name: 'a read tells of a commit before the disk has stored it',
    file: DURABILITY,
    find: 'return this.#durable === this.#seen ? undefined : this.#reach()',
    replace: 'return undefined',
    tests: WAITS,
  },
  {
    name: 'commits of other processes count as stored by the disk',
    file: DURABILITY,
    find: `    this.#version = version
    this.#seen += 1`,
    replace: '    this.#version = version',
    tests: WAITS,
  },
  {
    name: 'a commit joins a sync of the disk that began before it',
    file: DURABILITY,
    find: 'if (this.#running?.upTo === this.#seen) return',
    replace: 'if (this.#running !== undefined) return',
    tests: WAITS,
  },
  {
    name: 'a sync counts for commits that were made while the disk was busy',
    file: DURABILITY,
    find: 'this.#durable = sync.upTo',
    replace: 'this.#durable = this.#seen',
    tests: WAITS,
  },
  {
    name: 'an error tells of a commit before the disk has stored it',
    file: 'service/src/storage/sqlite/driver.ts',
    find: `    try {
      await this.#passOnUntil(lease, this.#group.seen())`,
    replace: `    try {
      await undefined`,
    tests: WAITS,
  },
  {
    name: 'an error is returned although its reason was not stored',
    file: 'service/src/storage/transactions.ts',
    find: 'if (error instanceof NotStored) throw error',
    replace: '',
    tests: WAITS,
  },
  {
    name: 'every transaction is acknowledged before the disk has stored it, not only a login in progress',
    file: 'service/src/storage/transactions.ts',
    find: 'if (mayBeLost) return await transaction.commitEarly()',
    replace: 'if (!confirm || mayBeLost) return await transaction.commitEarly()',
    tests: WAITS,
  },
  {
    name: 'an event of a login in progress is told before the disk has stored it',
    file: 'service/src/storage/transactions.ts',
    find: 'else this.#publishAfter(committed.durable, access.pendingEvents)',
    replace: 'else this.publish(access.pendingEvents)',
    tests: WAITS,
  },
  {
    name: 'the disk stores a login in progress only with the next commit',
    file: DURABILITY,
    find: '    this.#soon ??= setTimeout(() => this.#startNext(), SOON_MS)\n',
    replace: '',
    tests: WAITS,
  },
  {
    name: 'a transaction that fails rolls back the other writers of its group',
    file: 'service/src/storage/sqlite/commit-group.ts',
    find: 'this.#hasSavepoint = this.#waiting.length > 0',
    replace: 'this.#hasSavepoint = false',
    tests: ['service/test/storage/sqlite/commit-group.test.ts'],
  },
  {
    name: 'a sync of the disk that failed is not reported',
    file: DURABILITY,
    find: 'this.#options.lostWrite(error)',
    replace: '',
    tests: WAITS,
  },
  {
    name: 'the storage closes before the disk has stored its commits',
    file: 'service/src/storage/sqlite/open.ts',
    find: '    await synced.idle()\n',
    replace: '',
    tests: WAITS,
  },
  {
    name: 'a sync of a checkpoint that failed is not reported',
    file: 'service/src/storage/sqlite/checkpointer.ts',
    find: 'if (isLostWrite(error)) this.#options.lostWrite(error)',
    replace: '',
    tests: CHECKPOINTS,
  },
  {
    name: 'the write-ahead log is never checkpointed',
    file: 'service/src/storage/sqlite/checkpointer.ts',
    find: 'if (this.#isLogLong()) void this.#restart()',
    replace: '',
    tests: CHECKPOINTS,
  },
  {
    name: 'a commit may run a checkpoint on the thread of the requests',
    file: 'service/src/storage/sqlite/file.ts',
    find: "  'wal_autocheckpoint = 0',\n",
    replace: '',
    tests: ['service/test/storage/files-and-migrations.test.ts'],
    postgres: true,
  },
  {
    name: 'a power failure undoes the name of the new key file',
    file: 'service/src/keys.ts',
    find: `  flush(path.dirname(file))
  return keys`,
    replace: '  return keys',
    tests: ['service/test/faults/f47-power-cut.test.ts'],
  },
]
