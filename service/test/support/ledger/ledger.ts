import { createHash } from 'node:crypto'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import path from 'node:path'

/** A write that the service acknowledged. Secrets and users appear as hashes. */
export type Entry =
  | { readonly kind: 'tenant'; readonly tenant: string; readonly key: string }
  | {
      readonly kind: 'signed-in'
      readonly tenant: string
      readonly session: string
      readonly user: string
      readonly access: string
      readonly refresh: string
    }
  | {
      readonly kind: 'refreshed'
      readonly tenant: string
      readonly session: string
      readonly spent: string
      readonly access: string
      readonly refresh: string
    }
  | { readonly kind: 'signed-out'; readonly tenant: string; readonly session: string }

/**
 * The clients' record of acknowledged writes. An entry is on disk before the client continues, so it survives any crash;
 * the secrets stay in memory.
 */
export class Ledger {
  readonly #file: FileHandle
  readonly #name: string
  readonly #secrets = new Map<string, string>()
  #lines: string[] = []
  #written: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #acknowledged = Promise.withResolvers<void>()

  private constructor(file: FileHandle, name: string) {
    this.#file = file
    this.#name = name
  }

  static async in(folder: string): Promise<Ledger> {
    const name = path.join(folder, 'ledger.jsonl')
    return new Ledger(await open(name, 'a', 0o600), name)
  }

  /** Resolves once the entry is on disk. Entries that arrive during a write share the next one. */
  acknowledge(entry: Entry): Promise<void> {
    this.#lines.push(`${JSON.stringify(entry)}\n`)
    this.#acknowledged.resolve()
    this.#acknowledged = Promise.withResolvers()
    this.#next ??= this.#written.then(() => {
      this.#next = undefined
      this.#written = this.#write(this.#lines.splice(0))
      return this.#written
    })
    return this.#next
  }

  /** Resolves at the next acknowledgement, or after this many. */
  async next(times = 1): Promise<void> {
    for (let left = times; left > 0; left--) {
      await this.#acknowledged.promise
    }
  }

  async #write(lines: readonly string[]): Promise<void> {
    await this.#file.write(lines.join(''))
    await this.#file.datasync()
  }

  /** Keeps a secret in memory and returns its hash, by which entries name it. */
  keep(secret: string): string {
    const name = hashOf(secret)
    this.#secrets.set(name, secret)
    return name
  }

  secret(name: string): string {
    const secret = this.#secrets.get(name)
    if (secret === undefined) {
      throw new Error('the ledger names an unknown secret')
    }
    return secret
  }

  /** Every acknowledged write, read from disk. */
  async entries(): Promise<Entry[]> {
    await this.#written
    const lines = (await readFile(this.#name, 'utf8')).split('\n').filter((line) => line !== '')
    return lines.map((line) => JSON.parse(line) as Entry)
  }

  async close(): Promise<void> {
    await this.#next
    await this.#written
    await this.#file.close()
  }
}

export const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 24)
