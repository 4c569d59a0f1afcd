import { type RandomBytes, uniform } from './uniform.ts'

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
  if (rest !== 0) throw new RangeError(`${value} needs more than ${width} base62 digits`)
  return text
}
