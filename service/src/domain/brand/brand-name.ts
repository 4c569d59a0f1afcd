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
  const characters = charactersOf(name)
  if (characters === 'other characters') {
    return refused("Use letters, digits, spaces and - & . ' only.")
  }
  if (characters === 'several scripts') {
    return refused('Use the letters of one script: letters of several can look alike.')
  }

  const seen = seenAs(name, readAsCapitals(name))
  const reservedWords = [...RESERVED, ...operatorNames(operatorName)]
  const reserved = reservedWords.find((word) => imitates(seen, lookOf(word), 0))
  if (reserved !== undefined) {
    return refused(`A name may not contain "${reserved}".`)
  }
  if (onlyWord(seen, known().roles) !== null) {
    return refused('This is the name of a role, not of an app: add the name of your app.')
  }

  const brand = brandIn(seen)
  if (brand !== null && !isAllowed(brand, domains)) {
    return refused(`This name contains "${brand}". ${brandHint}`)
  }
  return { ok: true, name }
}

const refused = (problem: string): ReadBrandName => ({ ok: false, problem })

/** Whether a stored name may be shown on these domains: the brand in it may belong to another one. */
export function isNameFor(name: string, domains: readonly string[]): boolean {
  const brand = brandIn(seenAs(name, readAsCapitals(name)))
  return brand === null || isAllowed(brand, domains)
}

/** A longer brand is recognized inside a word, too (`facebookhelp`). A shorter one isn't: `pineapple`, `purchase`. */
const WITHIN_WORDS_MIN = 7

function brandIn(seen: Seen): string | null {
  const brand = known().brands.find((look) => imitates(seen, look, WITHIN_WORDS_MIN))
  return brand?.name ?? onlyWord(seen, known().ordinary)
}

function isAllowed(brand: string, domains: readonly string[]): boolean {
  const allowed = WELL_KNOWN_BRANDS[brand] ?? ORDINARY_BRANDS[brand] ?? []
  return domains.some((domain) => allowed.includes(domain))
}

/** A shorter name of an operator would forbid too much. */
const OPERATOR_MIN = 4

const operatorNames = (name: string | null): string[] =>
  name !== null && squash(name).length >= OPERATOR_MIN ? [name] : []

const squash = (text: string): string => text.replace(/[^\p{Letter}\p{Number}]+/gu, '')
const bare = (text: string): string => text.normalize('NFKD').replace(/\p{Mark}/gu, '')

/** What a reader may take a name for: one reading for each way to see its letters. */
interface Seen {
  readonly plain: readonly Reading[]
  /** `plain` with each pair of letters that looks like one read as that one: `vv` for `w`. */
  readonly joined: readonly Reading[]
}

type Words = readonly string[]

interface Reading {
  readonly words: Words
  /** All letters, an `i` as an `l`: what does not contain those of a brand cannot imitate it. */
  readonly loose: string
}

const reading = (words: Words): Reading => ({ words, loose: words.join('').replaceAll('i', 'l') })

interface Look extends Seen {
  readonly name: string
}

/** A capital `I` looks like an `l`, so capitals are read twice. */
function seenAs(text: string, ...also: string[]): Seen {
  const texts = [text.toLowerCase(), text, ...also]
  const plain = texts.map((each) => skeleton(splitWords(each)).split(' '))
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
function readAsCapitals(name: string): string {
  const capitals = unhomoglyph(bare(name))
    .replace(SPELLED, '')
    .replace(CAPITALS, (run) => run.replaceAll('l', 'I'))
  return splitWords(capitals).toLowerCase()
}

/** Between single letters: `V l S A`. */
const SPELLED = /(?<=(?<![\p{L}\p{N}])[\p{Lu}l])[^\p{L}\p{N}]+(?=[\p{Lu}l](?![\p{L}\p{N}]))/gu
/** Three capitals or more, and the `l`s among them; not the `l` of `Help` or `Mail`, nor `A1`. */
const CAPITALS = /(?<!\p{Ll})[\p{Lu}l]{3,}(?!\p{Ll})/gu

/** A brand or a reserved word, as it looks with its first letter in upper case: `lnstagram` looks like `Instagram`. */
function lookOf(name: string): Look {
  const { plain, joined } = seenAs(name.charAt(0).toUpperCase() + name.slice(1))
  return { name, plain, joined }
}

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
  const isSpelledAs = (run: Words, wanted: Words): boolean => {
    const text = spell(run, length)
    const brand = spell(wanted, length)
    return length < within ? text === brand : text.includes(brand)
  }

  const contains = (readings: readonly Reading[], wanted: Reading, mostWords: number): boolean =>
    readings.some(
      ({ words, loose }) =>
        loose.includes(wanted.loose) &&
        runsOf(words, mostWords).some((run) => isSpelledAs(run, wanted.words)),
    )

  if (look.plain.some((wanted) => contains(seen.plain, wanted, Number.POSITIVE_INFINITY))) {
    return true
  }
  // `Bar Days` is not `Barclays`: letters look joined only inside of a word.
  return look.joined.some((wanted) => contains(seen.joined, wanted, wanted.words.length))
}

/** The letters of words, as they are compared with a name of this length. */
function spell(words: Words, length: number): string {
  return length < I_AS_L_MIN ? words.join('') : reading(words).loose
}

/** Every run of at most so many consecutive words. */
function runsOf(words: Words, most: number): Words[] {
  const runs: Words[] = []
  for (let from = 0; from < words.length; from++) {
    const last = Math.min(words.length, from + most)
    for (let end = from + 1; end <= last; end++) {
      runs.push(words.slice(from, end))
    }
  }
  return runs
}

/** The one of `looks` that is the whole name, apart from words that stand beside any name: `Chase Online`, `My Admin`. */
function onlyWord(seen: Seen, looks: readonly Look[]): string | null {
  const wholeNames = new Set([...seen.plain, ...seen.joined].map(wordOf))
  const found = looks.find((look) =>
    [...look.plain, ...look.joined].some(({ words }) => wholeNames.has(words[0] ?? '')),
  )
  return found?.name ?? null
}

/** The only word of a name, however often it is repeated; null: there are several, or none. */
function wordOf({ words }: Reading): string | null {
  const others = new Set(words.filter((word) => !known().beside.has(word)))
  const [word = null] = others
  return others.size === 1 ? word : null
}

/** Letters that are no confusables of the Unicode data because they differ in height or style: small capitals and others. */
const ALIKE = alikeLetters()

function alikeLetters(): ReadonlyMap<string, string> {
  const alike = new Map<string, string>()
  for (const [latin, others] of Object.entries(names.alike)) {
    for (const other of others) {
      alike.set(other, latin)
    }
  }
  return alike
}

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
const SYSTEMS: readonly RegExp[] = names.scripts.map(lettersOf)

function lettersOf(scripts: readonly string[]): RegExp {
  const classes = scripts.map((script) => `\\p{Script=${script}}`).join('')
  // The mark of a long vowel belongs to several scripts.
  const also = scripts.includes('Katakana') ? 'ー' : ''
  return new RegExp(`[${classes}${also}]`, 'u')
}

/** Digits, spaces and the marks that names have; besides letters and their vowel signs. */
const NEUTRAL = /[-0-9 &.']/u
const LETTER = /[\p{Letter}\p{Mark}ー]/u

type NameCharacters = 'one script' | 'several scripts' | 'other characters'

/**
 * Which characters a text in NFKC has. Accents that NFKC doesn't join with their letter, and signs such as ™ or emoji, are
 * other characters.
 */
function charactersOf(text: string): NameCharacters {
  const letters = [...text].filter((character) => !NEUTRAL.test(character))
  if (!letters.every(isLetter)) {
    return 'other characters'
  }
  const isOneScript = SYSTEMS.some((system) => letters.every((letter) => system.test(letter)))
  return isOneScript ? 'one script' : 'several scripts'
}

function isLetter(character: string): boolean {
  return LETTER.test(character) && SYSTEMS.some((system) => system.test(character))
}
