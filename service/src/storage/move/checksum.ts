import { hash } from 'node:crypto'
import type { Row } from './sides.ts'

/**
 * The number of rows and the sum of their hashes. Equal for the same rows in any order and from either engine, so that
 * rows that were read back from the target can be compared with those of the source.
 */
export class Checksum {
  rows = 0
  #sum = 0n

  add(rows: readonly Row[]): void {
    this.rows += rows.length
    for (const row of rows) {
      const digest = hash('sha256', row.map(canonical).join(''), 'buffer')
      this.#sum = BigInt.asUintN(64, this.#sum + digest.readBigUInt64BE())
    }
  }

  equals(other: Checksum): boolean {
    return this.rows === other.rows && this.#sum === other.#sum
  }
}

/** Type and length in front, so that no two different rows have one representation. */
function canonical(value: Row[number]): string {
  if (value === null) return 'n'
  if (typeof value === 'number') return `i${value};`
  if (typeof value === 'string') return `s${value.length}:${value}`
  return `b${value.length}:${Buffer.from(value).toString('hex')}`
}
