import { copyFile, mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import type { Settings } from '../../service/test/support/process/service-process.ts'
import { diskShim } from './disk-shim.ts'

const BLOCK = 4_096
/** Rebuilt by SQLite, and not recorded. */
const LOG_INDEX = /-shm$/

/** The disk below a service's data folder, which loses power: only what was synced stays, as `disk-shim.c` recorded it. */
export class PowerCutDisk {
  readonly dataDir: string
  readonly #state: string
  readonly #shim: string

  private constructor(folder: string, shim: string) {
    this.dataDir = path.join(folder, 'data')
    this.#state = path.join(folder, 'disk')
    this.#shim = shim
  }

  static async create(): Promise<PowerCutDisk> {
    const disk = new PowerCutDisk(await realpath(await freshFolder()), await diskShim())
    await mkdir(disk.dataDir, { mode: 0o700 })
    await mkdir(disk.#state)
    return disk
  }

  /** Settings for a service on this disk, whose syncs take `syncMs`. */
  settings(syncMs: number): Settings {
    return {
      LD_PRELOAD: this.#shim,
      DISK_FOLDER: this.dataDir,
      DISK_STATE: this.#state,
      SYNC_MS: String(syncMs),
    }
  }

  /** Treats everything as stored. While no service runs. */
  async store(): Promise<void> {
    await rm(this.#state, { recursive: true })
    await mkdir(this.#state)
    const entries: string[] = []
    for (const name of await readdir(this.dataDir)) {
      if (LOG_INDEX.test(name)) {
        continue
      }
      const file = path.join(this.dataDir, name)
      const { ino } = await stat(file)
      await copyFile(file, path.join(this.#state, `${ino}.data`))
      entries.push(`${ino} ${name}\n`)
    }
    await writeFile(path.join(this.#state, 'entries'), entries.join(''))
  }

  /**
   * Undoes what was not synced, after all processes were killed. A disk may also store unsynced blocks, in any order:
   * `keep` is the chance of each. Returns how many blocks were lost.
   */
  async cut(keep: number): Promise<number> {
    const files = await Promise.all(
      (await this.#entries()).map((entry) => this.#afterCut(entry, keep)),
    )
    await rm(this.dataDir, { recursive: true })
    await mkdir(this.dataDir, { mode: 0o700 })
    for (const { name, content } of files) {
      await writeFile(path.join(this.dataDir, name), content, { mode: 0o600 })
    }
    await this.store()
    return files.reduce((sum, { lost }) => sum + lost, 0)
  }

  async #entries(): Promise<{ inode: string; name: string }[]> {
    const lines = (await readFile(path.join(this.#state, 'entries'), 'utf8')).trim().split('\n')
    return lines.map((line) => {
      const [inode = '', name = ''] = line.split(' ')
      return { inode, name }
    })
  }

  async #afterCut({ inode, name }: { inode: string; name: string }, keep: number) {
    const stored = await readFile(path.join(this.#state, `${inode}.data`)).catch(() =>
      Buffer.alloc(0),
    )
    const current = await this.#current(inode, name)
    const content = Buffer.alloc(Math.max(stored.length, current.length))
    stored.copy(content)
    let length = stored.length
    let lost = 0
    for (let from = 0; from < current.length; from += BLOCK) {
      const block = current.subarray(from, from + BLOCK)
      if (block.equals(stored.subarray(from, from + BLOCK))) {
        continue
      }
      if (Math.random() >= keep) {
        lost += 1
        continue
      }
      block.copy(content, from)
      length = Math.max(length, from + block.length)
    }
    return { name, content: content.subarray(0, length), lost }
  }

  /** The file as the processes saw it. */
  async #current(inode: string, name: string): Promise<Buffer> {
    const file = path.join(this.dataDir, name)
    const found = await stat(file).catch(() => null)
    return found === null || String(found.ino) !== inode ? Buffer.alloc(0) : readFile(file)
  }
}
