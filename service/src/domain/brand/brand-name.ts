import { BRAND_NAME_MAX_CHARACTERS } from '@gatehouse/contract'
import wellKnownBrands from '../../../content/well-known-brands.json' with { type: 'json' }

/**
 * Names that phishing imitates most, and the registrable domains on which each is allowed. Words that are also ordinary
 * English (Target, Gap) are left out: the host on the consent page decides, this list only stops the cheapest imitation.
 */
export const WELL_KNOWN_BRANDS: Readonly<Record<string, readonly string[]>> = wellKnownBrands

/** Names of this page's parties, and words that would vouch for an app. */
const RESERVED = ['google', 'gatehouse', 'official', 'verified']

type ReadBrandName = { readonly ok: true; readonly name: string } | { readonly ok: false; readonly problem: string }

/** What the name is compared with. */
interface NameRules {
  readonly operatorName: string | null
  /** The registrable domains that the owner controls. */
  readonly domains: readonly string[]
}

/**
 * A name for the consent page. Any name can mislead, so the page's headline is the host; these rules refuse the names that
 * imitate others at no cost.
 */
export function readBrandName(text: string, rules: NameRules): ReadBrandName {
  const name = text.normalize('NFKC').replace(/\s+/gu, ' ').trim()
  if (name === '' || !/[\p{Letter}\p{Number}]/u.test(name))
    return refused('Send a name with at least one letter or digit.')
  if ([...name].length > BRAND_NAME_MAX_CHARACTERS) {
    return refused(`A name has at most ${BRAND_NAME_MAX_CHARACTERS} characters.`)
  }
  switch (charactersOf(name)) {
    case 'other characters':
      return refused("Use letters, digits, spaces and - & . ' only.")
    case 'several scripts':
      return refused('Use the letters of one script: letters of several can look alike.')
    case 'one script':
  }
  const reserved = imitated(name, [...RESERVED, ...operatorNames(rules.operatorName)])
  if (reserved !== null) return refused(`A name may not contain "${reserved}".`)
  const brand = brandIn(name)
  if (brand === null || isAllowed(brand, rules.domains)) return { ok: true, name }
  return refused(`This name contains "${brand}". It is shown only on a verified domain of that brand.`)
}

const refused = (problem: string): ReadBrandName => ({ ok: false, problem })

/** Whether a stored name may be shown to users who return to this domain: the brand in it may belong to another one. */
export function isNameFor(name: string, registrableDomain: string | null): boolean {
  const brand = brandIn(name)
  return brand === null || isAllowed(brand, registrableDomain === null ? [] : [registrableDomain])
}

/** A longer brand is recognized inside a word, too (`facebookhelp`). A shorter one isn't: `pineapple`, `purchase`. */
const WITHIN_WORDS_MIN = 7

const brandIn = (name: string): string | null => imitated(name, Object.keys(WELL_KNOWN_BRANDS), WITHIN_WORDS_MIN)

const isAllowed = (brand: string, domains: readonly string[]): boolean =>
  domains.some((domain) => WELL_KNOWN_BRANDS[brand]?.includes(domain))

/** A shorter name of an operator would forbid too much. */
const OPERATOR_MIN = 4

const operatorNames = (name: string | null): string[] =>
  name !== null && squash(fold(name)).length >= OPERATOR_MIN ? [name] : []

/** The first of `names` that the text contains after folding: as words, or from `within` letters on inside them. */
function imitated(text: string, names: readonly string[], within = 0): string | null {
  // A capital `I` looks like an `l`.
  const foldings = [fold(text), fold(text.replaceAll('I', 'l'))]
  const contains = (name: string): boolean => {
    const wanted = squash(fold(name))
    return foldings.some(
      (folded) => hasWords(folded, wanted) || (wanted.length >= within && squash(folded).includes(wanted)),
    )
  }
  return names.find(contains) ?? null
}

/** Whether consecutive words give the wanted text: `pay pal`, `g-mail`. */
function hasWords(folded: string, wanted: string): boolean {
  const words = folded.split(/[^\p{Letter}\p{Number}]+/u).filter((word) => word !== '')
  return words.some((_, from) => {
    let joined = ''
    for (const word of words.slice(from)) {
      joined += word
      if (joined.length >= wanted.length) break
    }
    return joined === wanted
  })
}

const squash = (text: string): string => text.replace(/[^\p{Letter}\p{Number}]+/gu, '')

/** Letters of other scripts, and rare Latin ones, that look like common Latin letters. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аαɑ',
    b: 'вьβ',
    c: 'сϲ',
    d: 'ԁɗ',
    e: 'еєҽε',
    f: 'ғſ',
    g: 'ɡցԍ',
    h: 'һн',
    i: 'іıɩιɪ',
    j: 'јϳ',
    k: 'кκқ',
    l: 'ӏⅼʟ',
    m: 'мⅿ',
    n: 'пηո',
    o: 'оοօ',
    p: 'рρ',
    q: 'ԛ',
    r: 'гɾ',
    s: 'ѕꜱ',
    t: 'тτ',
    u: 'υսʋ',
    v: 'ѵν',
    w: 'ԝωшѡ',
    x: 'хχ',
    y: 'уүγ',
    z: 'ᴢʐ',
  }).flatMap(([latin, others]) => [...others].map((other): [string, string] => [other, latin])),
)

/** Equal for texts that look alike: without case and accents, and with `0→o`, `1→l`, `rn→m`. `PaypalHelp` becomes two words. */
function fold(text: string): string {
  const words = text.replace(/(\p{Lowercase_Letter})(\p{Uppercase_Letter})/gu, '$1 $2')
  const bare = words
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
  const latin = Array.from(bare, (letter) => LOOKALIKES.get(letter) ?? letter).join('')
  return latin.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('rn', 'm')
}

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

type NameCharacters = 'one script' | 'several scripts' | 'other characters'

/** Of a text in NFKC. Accents that NFKC doesn't join with their letter, and signs such as ™ or emoji, are other characters. */
function charactersOf(text: string): NameCharacters {
  const letters = [...text].filter((character) => !NEUTRAL.test(character))
  if (letters.some((character) => !LETTER.test(character) || !LETTERS.some((script) => script.test(character)))) {
    return 'other characters'
  }
  return LETTERS.some((script) => letters.every((letter) => script.test(letter))) ? 'one script' : 'several scripts'
}
