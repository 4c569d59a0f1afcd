import tenantWords from '../../../content/tenant-words.json' with { type: 'json' }
import { type RandomBytes, uniform } from '../tokens/random-text.ts'

/** All of them kind: a stranger will find one of each in the address of a login page. */
export const WORDS = [tenantWords.adjectives, tenantWords.animals, tenantWords.verbs].map((list) =>
  list.split(' '),
)

const ID_MAX_CHARACTERS = 40

/** No vowels, so that it spells no word; no 0, 1 or l, which look alike. */
const TAIL_ALPHABET = '23456789bcdfghjkmnpqrstvwxyz'
const TAIL_CHARACTERS = 5

const SHAPE = /^[a-z0-9]+(-[a-z0-9]+)+$/

/**
 * A readable id: `swift-fox-running-k3qd7`. It is public, part of every login link. With 2⁴⁵ values, guessing an existing
 * id or creating one twice is practically impossible.
 */
export function mintTenantId(random: RandomBytes): string {
  const words = WORDS.map((list) => pick(list, 1, random))
  return [...words, pick([...TAIL_ALPHABET], TAIL_CHARACTERS, random)].join('-')
}

export const isTenantId = (text: string): boolean =>
  text.length <= ID_MAX_CHARACTERS && SHAPE.test(text)

const pick = (from: readonly string[], count: number, random: RandomBytes): string =>
  uniform(count, from.length, random)
    .map((index) => from[index])
    .join('')
