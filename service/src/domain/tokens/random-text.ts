const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Each character has 5.95 bits of entropy. */
export function randomBase62(length: number, random: RandomBytes): string {
  return uniform(length, ALPHABET.length, random)
    .map((index) => ALPHABET[index])
    .join('')
}

/** Encodes a non-negative integer, padded with zeros to `width`. Throws when it does not fit. */
export function base62Of(value: number, width: number): string {
  let rest = value
  let text = ''
  for (let digit = 0; digit < width; digit++) {
    text = `${ALPHABET[rest % ALPHABET.length]}${text}`
    rest = Math.floor(rest / ALPHABET.length)
  }
  if (rest !== 0) {
    throw new RangeError(`${value} needs more than ${width} base62 digits`)
  }
  return text
}

/** A cryptographic random source. An argument, so that domain functions stay pure. */
export type RandomBytes = (count: number) => Uint8Array

/** A working source loses at most half of its bytes per round, so this many rounds never happen. */
const ROUNDS_MAX = 256

/**
 * `count` uniformly distributed integers from 0 to `size` - 1, with `size` at most 256.
 *
 * Rejection sampling: `byte % size` would be biased when 256 is not a multiple of `size`, so bytes beyond the last whole
 * multiple are drawn again.
 */
export function uniform(count: number, size: number, random: RandomBytes): number[] {
  const limit = 256 - (256 % size)
  const numbers: number[] = []
  for (let round = 0; numbers.length < count; round++) {
    if (round === ROUNDS_MAX) {
      throw new Error('The source of randomness is broken: it repeats itself or gives nothing')
    }
    const missing = count - numbers.length
    for (const byte of random(missing).subarray(0, missing)) {
      if (byte < limit) {
        numbers.push(byte % size)
      }
    }
  }
  return numbers
}
