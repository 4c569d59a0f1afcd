import { type EventEmitter, once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { CHECKPOINT_THREAD } from '../../folders.ts'
import type { Warn } from '../database.ts'
import { classifyError, isLostWrite } from '../database-errors.ts'
import { TIMING } from '../timing.ts'
import type { CheckpointAnswer, CheckpointMode, ThreadOptions } from './checkpoint-thread.ts'

/** In pages of 4 KiB. A refresh writes some ten pages, many of them repeatedly; a checkpoint copies each page once. */
const LOG_FRAMES = 8_000
/** The length of the log, whose reading takes microseconds, is checked after this many commits. */
const COMMITS_PER_CHECK = 16

export interface CheckpointerOptions {
  readonly file: string
  /** The number of frames in the write-ahead log. */
  logFrames(): number
  readonly warn: Warn
  readonly lostWrite: (error: unknown) => void
  /** How long `truncate` waits for readers. */
  readonly truncateMs?: number
  readonly frames?: number
  /** For tests. */
  startThread?(options: ThreadOptions): CheckpointThread
}

type CheckpointThread = EventEmitter & Pick<Worker, 'postMessage' | 'ref' | 'unref'>

const startWorker = (options: ThreadOptions): CheckpointThread =>
  // Node 22 warns about node:sqlite.
  new Worker(CHECKPOINT_THREAD, {
    workerData: options,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })

/**
 * Copies the write-ahead log into the database file on a thread of its own, which starts with the first checkpoint. Every
 * process has one; SQLite lets one of them run at a time.
 */
export class Checkpointer {
  readonly #options: CheckpointerOptions
  #thread: CheckpointThread | undefined
  #last: Promise<unknown> = Promise.resolve()
  #commits = 0
  #running = false
  #failing = false
  #closed = false

  constructor(options: CheckpointerOptions) {
    this.#options = options
  }

  /** Call after each commit, outside a transaction. Begins a checkpoint when the log is long. */
  committed(): void {
    this.#commits += 1
    if (this.#running || this.#closed || this.#commits % COMMITS_PER_CHECK !== 0) {
      return
    }
    if (this.#isLogLong()) {
      void this.#restart()
    }
  }

  /** Empties the log. Returns false if another process has kept it from that. */
  truncate(): Promise<boolean> {
    return this.#ask('truncate')
  }

  /** Waits for a running checkpoint. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#last
    const thread = this.#thread
    if (thread === undefined) {
      return
    }
    this.#thread = undefined
    thread.ref()
    thread.postMessage('close')
    await once(thread, 'exit')
  }

  #isLogLong(): boolean {
    const { logFrames, frames = LOG_FRAMES } = this.#options
    try {
      return logFrames() >= frames
    } catch {
      // The commit has succeeded; the next one looks again.
      return false
    }
  }

  async #restart(): Promise<void> {
    this.#running = true
    try {
      await this.#ask('restart')
      this.#failing = false
    } catch (error) {
      if (!this.#failing) {
        this.#options.warn('a checkpoint of the SQLite write-ahead log failed; trying again', error)
      }
      this.#failing = true
    } finally {
      this.#running = false
    }
  }

  /** One checkpoint runs at a time. */
  #ask(mode: CheckpointMode): Promise<boolean> {
    const asked = this.#last.then(() => this.#run(mode))
    this.#last = asked.catch(() => {})
    return asked
  }

  async #run(mode: CheckpointMode): Promise<boolean> {
    const thread = this.#started()
    // Only a running checkpoint keeps the process alive.
    thread.ref()
    try {
      thread.postMessage(mode)
      const [answer] = (await once(thread, 'message')) as [CheckpointAnswer]
      if ('done' in answer) {
        return answer.done
      }
      // An error loses its properties on the way from the thread.
      const thrown = Object.assign(new Error(answer.message), {
        code: 'ERR_SQLITE_ERROR',
        errcode: answer.errcode,
      })
      const error = classifyError(thrown)
      if (isLostWrite(error)) {
        this.#options.lostWrite(error)
      }
      throw error
    } finally {
      thread.unref()
    }
  }

  #started(): CheckpointThread {
    if (this.#thread !== undefined) {
      return this.#thread
    }
    const { file, truncateMs = TIMING.truncateMs, startThread = startWorker } = this.#options
    const thread = startThread({ file, truncateMs })
    // `once` rejects for the error; without a listener of its own it would end the process.
    thread.on('error', () => {
      this.#thread = undefined
    })
    this.#thread = thread
    return thread
  }
}
