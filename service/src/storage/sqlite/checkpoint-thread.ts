/** The thread of checkpointer.ts: a checkpoint copies megabytes and waits for the disk several times. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { databaseErrorOf } from '../database-errors.ts'
import { openToCheckpoint } from './file.ts'

const TRUNCATE_PAUSE_MS = 50

/** `restart`: the next writer begins at the start of the log. `truncate`: the log also loses its content. */
export type CheckpointMode = 'restart' | 'truncate'

export type CheckpointAnswer = CheckpointDone | CheckpointFailed

interface CheckpointDone {
  /** false: another process has kept the checkpoint from finishing. */
  readonly done: boolean
}

interface CheckpointFailed {
  readonly message: string
  readonly errcode: number | undefined
}

export interface ThreadOptions {
  readonly file: string
  /** How long `truncate` waits for readers. */
  readonly truncateMs: number
}

const options = workerData as ThreadOptions
const file = openToCheckpoint(options.file)

parentPort?.on('message', async (mode: CheckpointMode | 'close') => {
  if (mode === 'close') {
    file.close()
    parentPort?.close()
    return
  }
  parentPort?.postMessage(await answer(mode))
})

async function answer(mode: CheckpointMode): Promise<CheckpointAnswer> {
  try {
    return { done: mode === 'restart' ? restart() : await truncate() }
  } catch (error) {
    const { message, errcode } = databaseErrorOf(error) as Error & { errcode?: number }
    return { message, errcode }
  }
}

/**
 * Copies most of the log without the write lock, as far as readers allow. Writers wait for the short rest, and retry without
 * blocking their thread (file.ts).
 */
function restart(): boolean {
  const { log, checkpointed } = checkpoint('passive')
  return log === checkpointed && checkpoint('restart').busy === 0
}

async function truncate(): Promise<boolean> {
  for (let left = options.truncateMs; left > 0; left -= TRUNCATE_PAUSE_MS) {
    if (checkpoint('truncate').busy === 0) {
      return true
    }
    await sleep(TRUNCATE_PAUSE_MS)
  }
  return false
}

interface CheckpointResult {
  /** 1: another connection kept the checkpoint from finishing. */
  readonly busy: 0 | 1
  /** The frames in the log, and how many of them are in the database file. */
  readonly log: number
  readonly checkpointed: number
}

function checkpoint(mode: CheckpointMode | 'passive'): CheckpointResult {
  const { rows } = file.run(`pragma wal_checkpoint(${mode})`, [])
  return rows[0] as CheckpointResult
}
