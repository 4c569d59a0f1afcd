import { type RandomBytes, uniform } from '../tokens/uniform.ts'
import { ADJECTIVES, ANIMALS, VERBS } from './tenant-words.ts'

const ID_MAX_CHARACTERS = 40

/** No vowels, so that it spells nothing; no 0, 1 or l, so that it can be read aloud from a terminal. */
const TAIL_ALPHABET = '23456789bcdfghjkmnpqrstvwxyz'
const TAIL_CHARACTERS = 5

const SHAPE = /^[a-z0-9]+(-[a-z0-9]+)+$/

/**
 * A name people can tell apart in a list: `swift-fox-running-k3qd7`. It is public, in every login link, so it need not
 * be secret; its 2⁴⁵ values make it practically impossible to meet another tenant by guessing, or to mint one twice.
 */
export function mintTenantId(random: RandomBytes): string {
  const words = [ADJECTIVES, ANIMALS, VERBS].map((list) => pick(list, 1, random))
  return [...words, pick([...TAIL_ALPHABET], TAIL_CHARACTERS, random)].join('-')
}

export const isTenantId = (text: string): boolean => text.length <= ID_MAX_CHARACTERS && SHAPE.test(text)

const pick = (from: readonly string[], count: number, random: RandomBytes): string =>
  uniform(count, from.length, random)
    .map((index) => from[index])
    .join('')
