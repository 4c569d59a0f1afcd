import type { EventEmitter } from 'node:events'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { END_OF_FILE, LOADING, NEXT_FILE, START_OF_FILE } from './events.ts'
import { followPromises } from './promise-hook.ts'

// Runs test files one after another in one process, because loading the service takes longer than most files run. The
// parent (run-files.ts) sends the next file when the results of the last one have arrived.

/** How long connections and timers that a test left open may delay the end of the process. */
const EXIT_WITHIN_MS = 5_000

export interface FileToRun {
  readonly file: string
  readonly env: Readonly<Record<string, string>>
  /** The temporary folder of its tests, removed at their end. */
  readonly folder: string
}

/** Functions of the process that tests replace. One that a file leaves replaced could fail any other file. */
const SHARED = [
  { owner: performance, name: 'now' },
  { owner: Date, name: 'now' },
  { owner: Math, name: 'random' },
  { owner: globalThis, name: 'fetch' },
  { owner: globalThis, name: 'setTimeout' },
  { owner: globalThis, name: 'setInterval' },
].map(({ owner, name }) => ({ owner, name, original: Reflect.get(owner, name) }))

/** Restores what a file left replaced, and returns the error about it, if any. */
function restoreShared(): Error[] {
  const left = SHARED.filter(({ owner, name, original }) => Reflect.get(owner, name) !== original)
  for (const { owner, name, original } of left) {
    Reflect.set(owner, name, original)
  }
  const names = left.map(({ name }) => name).join(', ')
  return left.length === 0 ? [] : [new Error(`left replaced for the next file: ${names}`)]
}

process.on('message', ({ file, env, folder }: FileToRun) => {
  Object.assign(process.env, env, { TMPDIR: folder })
  const inside: EventEmitter = process
  inside.emit(NEXT_FILE)
  void run(file, folder)
})
/** Errors that no test awaits: thrown in a timer or a listener, or an unhandled rejection. */
let strayErrors: unknown[] = []
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error: unknown) => void strayErrors.push(error))
}
process.on('disconnect', () => setTimeout(() => process.exit(), EXIT_WITHIN_MS).unref())

async function run(file: string, folder: string): Promise<void> {
  // Node runs the tests of a process in the order in which they were registered. Those of the file wait for this one: they
  // may use what the file declares after them.
  const { promise: loaded, resolve: release } = Promise.withResolvers<void>()
  void test(START_OF_FILE, () => loaded)
  followPromises(true)
  try {
    await import(pathToFileURL(file).href)
  } catch (error) {
    void test(LOADING, () => {
      throw error
    })
  }
  followPromises(false)
  release()
  await test(END_OF_FILE, async () => {
    // Before anything that throws: the next file would be blamed.
    const replaced = restoreShared()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    const errors = [...strayErrors.filter((error) => error !== undefined), ...replaced]
    strayErrors = []
    if (errors.length > 0) {
      throw errors.length === 1 ? errors[0] : new AggregateError(errors)
    }
  })
}
