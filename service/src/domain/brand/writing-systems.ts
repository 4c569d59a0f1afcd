/**
 * The letters of one writing system. A name in two of them can look like another one: `pаypal` with a Cyrillic `а` (UTS 39,
 * section 5.1). Japanese and Korean are written in several scripts together.
 */
const LETTERS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u,
  /[\p{Script=Han}\p{Script=Hangul}]/u,
  /[\p{Script=Han}\p{Script=Bopomofo}]/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Bengali}/u,
  /\p{Script=Gurmukhi}/u,
  /\p{Script=Gujarati}/u,
  /\p{Script=Tamil}/u,
  /\p{Script=Telugu}/u,
  /\p{Script=Kannada}/u,
  /\p{Script=Malayalam}/u,
  /\p{Script=Sinhala}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Khmer}/u,
  /\p{Script=Myanmar}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Ethiopic}/u,
]

/** Digits, spaces and the marks that names have; besides letters and their vowel signs. */
const NEUTRAL = /[-0-9 &.']/u
const LETTER = /[\p{Letter}\p{Mark}ー]/u

export type NameCharacters = 'one script' | 'several scripts' | 'other characters'

/** Of a text in NFKC. Accents that NFKC doesn't join with their letter, and signs such as ™ or emoji, are other characters. */
export function charactersOf(text: string): NameCharacters {
  const letters = [...text].filter((character) => !NEUTRAL.test(character))
  if (letters.some((character) => !LETTER.test(character) || !LETTERS.some((script) => script.test(character)))) {
    return 'other characters'
  }
  return LETTERS.some((script) => letters.every((letter) => script.test(letter))) ? 'one script' : 'several scripts'
}
