import { BRAND_NAME_MAX_CHARACTERS } from '@gatehouse-auth/contract'
import unhomoglyph from 'unhomoglyph'
import names from '../../../content/well-known-brands.json' with { type: 'json' }
import { lazy } from '../lazy.ts'

type Brands = Readonly<Record<string, readonly string[]>>

/** Names that phishing imitates most, and the registrable domains on which each is allowed. */
export const WELL_KNOWN_BRANDS: Brands = names.brands

/** Brands that are also ordinary words or first names: `Chase`, but not `Paper Chase`. */
export const ORDINARY_BRANDS: Brands = names.ordinaryWords

/** Names of this page's parties, and words that would vouch for an app. */
const RESERVED = ['google', 'gatehouse', 'official', 'verified']

type ReadBrandName =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly problem: string }

/** What the name is compared with. */
interface NameRules {
  readonly operatorName: string | null
  /** The domains on which the name is shown: a well-known brand is allowed on its own. */
  readonly domains: readonly string[]
  /** A sentence about where a brand is allowed. */
  readonly brandHint: string
}

/**
 * A name for the consent page. Any name can mislead, so the page's headline is the host; these rules refuse the names that
 * imitate others at no cost.
 */
export function readBrandName(
  text: string,
  { operatorName, domains, brandHint }: NameRules,
): ReadBrandName {
  const name = text.normalize('NFKC').replace(/\s+/gu, ' ').trim()
  if (!/[\p{Letter}\p{Number}]/u.test(name)) {
    return refused('Send a name with at least one letter or digit.')
  }
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
  const seen = seenAs(name, readAsCapitals(name))
  const reserved = [...RESERVED, ...operatorNames(operatorName)].find((word) =>
    imitates(seen, lookOf(word), 0),
  )
  if (reserved !== undefined) {
    return refused(`A name may not contain "${reserved}".`)
  }
  if (onlyWord(seen, known().roles) !== null) {
    return refused('This is the name of a role, not of an app: add the name of your app.')
  }
  const brand = brandIn(seen)
  if (brand === null || isAllowed(brand, domains)) {
    return { ok: true, name }
  }
  return refused(`This name contains "${brand}". ${brandHint}`)
}

const refused = (problem: string): ReadBrandName => ({ ok: false, problem })

/** Whether a stored name may be shown on these domains: the brand in it may belong to another one. */
export function isNameFor(name: string, domains: readonly string[]): boolean {
  const brand = brandIn(seenAs(name, readAsCapitals(name)))
  return brand === null || isAllowed(brand, domains)
}

/** A longer brand is recognized inside a word, too (`facebookhelp`). A shorter one isn't: `pineapple`, `purchase`. */
const WITHIN_WORDS_MIN = 7

const brandIn = (seen: Seen): string | null =>
  known().brands.find((brand) => imitates(seen, brand, WITHIN_WORDS_MIN))?.name ??
  onlyWord(seen, known().ordinary)

const isAllowed = (brand: string, domains: readonly string[]): boolean =>
  domains.some((domain) => (WELL_KNOWN_BRANDS[brand] ?? ORDINARY_BRANDS[brand])?.includes(domain))

/** A shorter name of an operator would forbid too much. */
const OPERATOR_MIN = 4

const operatorNames = (name: string | null): string[] =>
  name !== null && squash(name).length >= OPERATOR_MIN ? [name] : []

const squash = (text: string): string => text.replace(/[^\p{Letter}\p{Number}]+/gu, '')
const bare = (text: string): string => text.normalize('NFKD').replace(/\p{Mark}/gu, '')

/** What a reader may take a name for: one reading for each way to see its letters. */
interface Seen {
  readonly plain: readonly Reading[]
  /** The same with letters that look like one: `vv` for `w`. */
  readonly joined: readonly Reading[]
}

type Words = readonly string[]

interface Reading {
  readonly words: Words
  /** All letters, an `i` as an `l`: what does not contain those of a brand cannot imitate it. */
  readonly loose: string
}

const reading = (words: Words): Reading => ({ words, loose: words.join('').replaceAll('i', 'l') })

type Look = Seen & { readonly name: string }

/** A capital `I` looks like an `l`, so capitals are read twice. */
function seenAs(text: string, ...also: string[]): Seen {
  const plain = [text.toLowerCase(), text, ...also].map((each) =>
    skeleton(splitWords(each)).split(' '),
  )
  return {
    plain: plain.map(reading),
    joined: plain.map((words) => reading(words.map(joinLetters))),
  }
}

/** `PaypalHelp` is two words. */
const splitWords = (text: string): string =>
  text
    .replace(/(\p{Lowercase_Letter})(\p{Uppercase_Letter})/gu, '$1 $2')
    .replace(/[^\p{Letter}\p{Mark}\p{Number}]+/gu, ' ')
    .trim()

/** Among capitals, an `l` or a `1` looks like an `I`, in a name of any length: `VlSA`. An `L` doesn't: `GMALL` isn't `GMAIL`. */
const readAsCapitals = (name: string): string =>
  splitWords(
    unhomoglyph(bare(name))
      .replace(SPELLED, '')
      .replace(CAPITALS, (run) => run.replaceAll('l', 'I')),
  ).toLowerCase()

/** Between single letters: `V l S A`. */
const SPELLED = /(?<=(?<![\p{L}\p{N}])[\p{Lu}l])[^\p{L}\p{N}]+(?=[\p{Lu}l](?![\p{L}\p{N}]))/gu
/** Three capitals or more, and the `l`s among them; not the `l` of `Help` or `Mail`, nor `A1`. */
const CAPITALS = /(?<!\p{Ll})[\p{Lu}l]{3,}(?!\p{Ll})/gu

/** A brand or a reserved word, as it looks with its first letter in upper case: `lnstagram` looks like `Instagram`. */
const lookOf = (name: string): Look => ({
  name,
  ...seenAs(name.charAt(0).toUpperCase() + name.slice(1)),
})

/** Computed at the first use, because a start needs none of it. */
const known = lazy(() => ({
  brands: Object.keys(WELL_KNOWN_BRANDS).map(lookOf),
  ordinary: Object.keys(ORDINARY_BRANDS).map(lookOf),
  roles: names.roles.map(lookOf),
  beside: new Set(names.beside.map(skeleton)),
}))

/** From this length on an `i` counts as an `l`: `LinkedIn` ends in `ln`. In a shorter one it would forbid `Appie`. */
const I_AS_L_MIN = 6

/** Whether a name contains another one: as words (`pay pal`, `g-mail`), or from `within` letters on inside of them. */
function imitates(seen: Seen, look: Look, within: number): boolean {
  const { length } = squash(look.name)
  const spelled = (words: Words): string =>
    length < I_AS_L_MIN ? words.join('') : reading(words).loose
  const contains = (texts: readonly Reading[], wanted: Reading, most: number): boolean => {
    const isFound = (run: Words): boolean =>
      length < within
        ? spelled(run) === spelled(wanted.words)
        : spelled(run).includes(spelled(wanted.words))
    return texts.some(
      ({ words, loose }) => loose.includes(wanted.loose) && runsOf(words, most).some(isFound),
    )
  }
  return (
    look.plain.some((wanted) => contains(seen.plain, wanted, Number.POSITIVE_INFINITY)) ||
    // `Bar Days` is not `Barclays`: letters look joined only inside of a word.
    look.joined.some((wanted) => contains(seen.joined, wanted, wanted.words.length))
  )
}

/** Every run of at most so many consecutive words. */
const runsOf = (words: Words, most: number): Words[] =>
  words.flatMap((_, from) =>
    words.slice(from, from + most).map((_, index) => words.slice(from, from + index + 1)),
  )

/** The one of `looks` that is the whole name, apart from words that stand beside any name: `Chase Online`, `My Admin`. */
function onlyWord({ plain, joined }: Seen, looks: readonly Look[]): string | null {
  const others = [...plain, ...joined].map(
    ({ words }) => new Set(words.filter((word) => !known().beside.has(word))),
  )
  const isOnly = (look: Look): boolean =>
    [...look.plain, ...look.joined].some(({ words: [wanted = ''] }) =>
      others.some((words) => words.size === 1 && words.has(wanted)),
    )
  return looks.find(isOnly)?.name ?? null
}

/** Letters that are no confusables of the Unicode data because they differ in height or style: small capitals and others. */
const ALIKE: ReadonlyMap<string, string> = new Map(
  Object.entries(names.alike).flatMap(([latin, others]) =>
    [...others].map((other) => [other, latin] as const),
  ),
)

/**
 * Equal for texts that look alike: the skeleton of UTS 39, section 4, without case and accents. `0` is an `o`, `1` an `l`, and
 * `m` is `rn`, as the Unicode data has it.
 */
function skeleton(text: string): string {
  const lower = bare(unhomoglyph(bare(text))).toLowerCase()
  return Array.from(lower, (letter) => ALIKE.get(letter) ?? letter)
    .join('')
    .replaceAll('m', 'rn')
}

/** Letters that together look like another one. */
const joinLetters = (word: string): string => word.replaceAll('vv', 'w').replaceAll('cl', 'd')

/**
 * The letters of one writing system. A name in two of them can look like another one: `pаypal` with a Cyrillic `а` (UTS 39,
 * section 5.1). Japanese and Korean are written in several scripts together.
 */
const LETTERS: readonly RegExp[] = names.scripts.map((scripts) => {
  // The mark of a long vowel belongs to several scripts.
  const also = scripts.includes('Katakana') ? 'ー' : ''
  return new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join('')}${also}]`, 'u')
})

/** Digits, spaces and the marks that names have; besides letters and their vowel signs. */
const NEUTRAL = /[-0-9 &.']/u
const LETTER = /[\p{Letter}\p{Mark}ー]/u

type NameCharacters = 'one script' | 'several scripts' | 'other characters'

/** Of a text in NFKC. Accents that NFKC doesn't join with their letter, and signs such as ™ or emoji, are other characters. */
function charactersOf(text: string): NameCharacters {
  const letters = [...text].filter((character) => !NEUTRAL.test(character))
  if (
    letters.some(
      (character) => !LETTER.test(character) || !LETTERS.some((script) => script.test(character)),
    )
  ) {
    return 'other characters'
  }
  return LETTERS.some((script) => letters.every((letter) => script.test(letter)))
    ? 'one script'
    : 'several scripts'
}
