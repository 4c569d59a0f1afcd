import en from '../../../../content/languages/en.json' with { type: 'json' }
import type { LanguageTag } from '../../../domain/language.ts'
import { lazy } from '../../../domain/lazy.ts'
import { type Html, html, type Part } from '../markup.ts'

// The messages of the pages for users of apps. English defines them (service/content/languages/en.json); a message that is
// missing in another language doesn't compile. A message is a whole sentence, a label or a button: other languages have another
// order of words.

/** The forms that a language has (CLDR). `#` is the number. */
type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

type Texts = Omit<typeof en, 'units'>

/** A file of `service/content/languages`. `units`: what is counted, such as `seconds` in `{count seconds}`. */
export type Catalogue = Texts & { readonly units: Readonly<Record<string, PluralForms>> }

/** The messages that contain values, with their names in the order of the function's parameters. Every other is a text. */
const WITH_VALUES = {
  site: {
    runBy: markup('operator'),
    // Buttons: `Sign in with Google`, in the words that Google itself uses in this language.
    signInWith: text('provider'),
    continueWith: text('provider'),
  },
  time: {
    // `3 hours ago, on 15 Nov 2026, 14:03 UTC`
    both: markup('relative', 'exact'),
  },
  consent: {
    title: text('host'),
    waitTitle: text('host'),
    heading: text('host'),
    // A host such as `xn--mnchen-3ya.example` and its form `münchen.example`.
    ownLetters: markup('host'),
    shared: markup('provider'),
    sharedWithoutName: markup('provider'),
    limited: text('count'),
    remembered: text('count'),
    footer: markup('provider'),
    linkTitle: text('provider'),
    linkAccount: markup('host'),
    linkAdded: text('provider'),
  },
  errors: {
    // `day`: `1 December`.
    monthLimit: text('day'),
    trialLimit: text('day'),
    goTo: markup('host'),
    // `when`: `in 42 seconds`.
    tryAgainWhen: markup('when'),
    reference: markup('status', 'requestId'),
  },
  claim: { moreHosts: text('count'), users: text('count'), signIns: text('count') },
  claimed: {
    keepsKeys: markup('project'),
    newKeys: markup('project'),
    // `ends` is the message `time.both`: `in 3 days, on 18 Nov 2026, 14:03 UTC`.
    denied: markup('project', 'ends'),
    yours: markup('project'),
    taken: markup('project'),
    superseded: markup('project'),
    // `endpoint`: the code `POST /api/claim/url`.
    expired: markup('project', 'count', 'endpoint'),
    ended: markup('project', 'count'),
  },
  me: {
    signInMeaning: text('count'),
    // `provider`: `Google`.
    apps: text('provider'),
    noApps: text('provider'),
    // `when`: `3 hours ago`.
    sessionUsed: text('when'),
    // `when` is the message `time.both`.
    sessionStarted: markup('when'),
    consentMeaning: text('count'),
    removeFromOwned: text('count'),
    removalAsked: markup('when'),
    removeIdentity: text('provider'),
    // `providers`: `GitHub or Microsoft`.
    notOffered: text('providers'),
    // `privacy` is the link `site.privacy`.
    stored: markup('privacy'),
  },
} as const

interface Shape<Names extends readonly string[], Kind> {
  readonly names: Names
  readonly kind: Kind
}

type AnyShape = Shape<readonly string[], 'text' | 'markup'>

/** A message of plain text, for a title or an attribute. */
function text<const Names extends readonly string[]>(...names: Names): Shape<Names, 'text'> {
  return { names, kind: 'text' }
}

/** A message whose values may be markup that the page built: a host, an id, a time. */
function markup<const Names extends readonly string[]>(...names: Names): Shape<Names, 'markup'> {
  return { names, kind: 'markup' }
}

type ValueOf<Name, Kind> = Name extends 'count' | 'status'
  ? number
  : Kind extends 'markup'
    ? Part
    : string

type MessageOf<S> =
  S extends Shape<infer Names, infer Kind>
    ? (
        ...values: { readonly [At in keyof Names]: ValueOf<Names[At], Kind> }
      ) => Kind extends 'markup' ? Html : string
    : never

type GroupOf<Group extends keyof Texts> = {
  readonly [Name in keyof Texts[Group]]: Name extends keyof (typeof WITH_VALUES)[Group]
    ? MessageOf<(typeof WITH_VALUES)[Group][Name]>
    : Texts[Group][Name]
}

/** The messages of a language: `messages.consent.heading('app.example')`. */
export type Messages = { readonly [Group in keyof Texts]: GroupOf<Group> }

/** The messages of a catalogue. The cast holds because `WITH_VALUES` is the source of both the types and the functions. */
export function readMessages(tag: LanguageTag, { units, ...groups }: Catalogue): Messages {
  const counter = { units, count: counterIn(tag) }
  const read = Object.entries(groups).map(([group, messages]) => [
    group,
    readGroup(messages, WITH_VALUES[group as keyof Texts], counter),
  ])
  return Object.fromEntries(read) as Messages
}

function readGroup(
  messages: object,
  shapes: Readonly<Record<string, AnyShape>>,
  counter: Counter,
): object {
  const read = Object.entries(messages).map(([name, message]) => {
    const shape = shapes[name]
    return [name, shape === undefined ? message : fill(String(message), shape, counter)]
  })
  return Object.fromEntries(read)
}

export const ENGLISH_MESSAGES: Messages = readMessages('en', en)

interface Counter {
  readonly units: Catalogue['units']
  count(count: number, forms: PluralForms): string
}

/** A piece of a message, as a function of the values. */
type Piece = (values: readonly Part[]) => Part

/** The text between the values is escaped as well, so a catalogue can't contain markup. */
function fill(
  message: string,
  { names, kind }: AnyShape,
  counter: Counter,
): (...values: Part[]) => Part {
  const pieces = message.split(/(\{[^}]*\})/).map((literal) => pieceOf(literal, names, counter))
  const partsOf = (values: readonly Part[]): Part[] => pieces.map((piece) => piece(values))

  return kind === 'markup'
    ? (...values) => html`${partsOf(values)}`
    : (...values) => partsOf(values).join('')
}

/** `{host}` is a value, `{count days}` a number with its unit, and everything else a text. */
function pieceOf(literal: string, names: readonly string[], { units, count }: Counter): Piece {
  const [, name = '', unit] = /^\{(\w+)(?: (\w+))?\}$/.exec(literal) ?? []
  const at = names.indexOf(name)
  if (at === -1) {
    return () => literal
  }
  if (unit === undefined) {
    return (values) => values[at]
  }

  const forms = units[unit]
  return forms === undefined ? () => literal : (values) => count(Number(values[at]), forms)
}

/** A number with the form of its unit: `1 user`, `12,345 users`. */
function counterIn(tag: LanguageTag): Counter['count'] {
  const rules = lazy(() => new Intl.PluralRules(intlLocale(tag)))
  const numbers = lazy(() => new Intl.NumberFormat(intlLocale(tag)))
  return (count, forms) =>
    (forms[rules().select(count)] ?? forms.other).replace('#', numbers().format(count))
}

/**
 * The locale for `Intl`. Western digits in every language: the codes, hosts and ids beside them have the same.
 * English has the order of day and month that the other languages have.
 */
export const intlLocale = (tag: LanguageTag): string => `${tag === 'en' ? 'en-GB' : tag}-u-nu-latn`
