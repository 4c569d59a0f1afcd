/** Bytes nobody can guess. Passed in, so that a rule stays a function of its input. */
export type RandomBytes = (count: number) => Uint8Array

/** A working source rejects at most half of its bytes, so this many rounds in a row never happen. */
const ROUNDS_MAX = 256

/**
 * `count` numbers from 0 up to `size` (not included; at most 256), each equally likely.
 *
 * `byte % size` would favour small numbers whenever 256 is not a multiple of `size`, so bytes beyond the last whole
 * multiple are thrown away and drawn again.
 */
export function uniform(count: number, size: number, random: RandomBytes): number[] {
  const limit = 256 - (256 % size)
  const numbers: number[] = []
  for (let round = 0; numbers.length < count; round++) {
    if (round === ROUNDS_MAX) throw new Error('The source of randomness is broken: it repeats itself or gives nothing')
    const missing = count - numbers.length
    for (const byte of random(missing).subarray(0, missing)) if (byte < limit) numbers.push(byte % size)
  }
  return numbers
}
