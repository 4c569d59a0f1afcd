import { createHash } from 'node:crypto'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import path from 'node:path'

/** Something that the service said has happened. Secrets and people are hashes here. */
export type Entry =
  | { readonly kind: 'tenant'; readonly tenant: string; readonly key: string }
  | {
      readonly kind: 'signed-in'
      readonly tenant: string
      readonly session: string
      readonly person: string
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
 * The client's own side of the story. What was acknowledged is on disk before the client goes on, so that no crash of
 * anything can take it back; the secrets themselves stay in memory.
 */
export class Ledger {
  readonly #file: FileHandle
  readonly #name: string
  readonly #secrets = new Map<string, string>()
  #lines: string[] = []
  #written: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  private constructor(file: FileHandle, name: string) {
    this.#file = file
    this.#name = name
  }

  static async in(folder: string): Promise<Ledger> {
    const name = path.join(folder, 'ledger.jsonl')
    return new Ledger(await open(name, 'a', 0o600), name)
  }

  /** Resolves once it is on disk. Whoever comes while the disk is busy shares the next write. */
  acknowledge(entry: Entry): Promise<void> {
    this.#lines.push(`${JSON.stringify(entry)}\n`)
    this.#next ??= this.#written.then(() => {
      this.#next = undefined
      this.#written = this.#write(this.#lines.splice(0))
      return this.#written
    })
    return this.#next
  }

  async #write(lines: readonly string[]): Promise<void> {
    await this.#file.write(lines.join(''))
    await this.#file.datasync()
  }

  /** Keeps a secret in memory, and returns what the ledger calls it. */
  keep(secret: string): string {
    const name = hashOf(secret)
    this.#secrets.set(name, secret)
    return name
  }

  secret(name: string): string {
    const secret = this.#secrets.get(name)
    if (secret === undefined) throw new Error('the ledger names a secret that nobody kept')
    return secret
  }

  /** Everything that was acknowledged, as it is on disk. */
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

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 24)
