import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LANGUAGE_TAGS } from '../../../domain/language.ts'
import { languageIn, messagesIn } from './language.ts'
import { ENGLISH_MESSAGES, type Messages } from './messages.ts'

/** Numbers, because each parameter is printed or counted. No message contains them otherwise. */
const MARKERS = [731, 842, 953] as const

type Message = string | ((...values: readonly number[]) => unknown)

/** By its path: `consent.heading`. */
function listed(messages: object, prefix = ''): [path: string, message: Message][] {
  return Object.entries(messages).flatMap(([name, value]): [string, Message][] =>
    typeof value === 'object'
      ? listed(value, `${prefix}${name}.`)
      : [[prefix + name, value as Message]],
  )
}

const textOf = (message: Message, values: readonly number[] = MARKERS): string =>
  typeof message === 'string' ? message : String(message(...values))

const catalogue = (messages: Messages): Map<string, string> =>
  new Map(listed(messages).map(([path, message]) => [path, textOf(message)]))

const ENGLISH_TEXTS = catalogue(ENGLISH_MESSAGES)

/** Buttons and labels: one line at 390 px. */
const LABEL_MAX = 40
const LABELS =
  /^(site\.(yourData|privacy|terms|support|useAnotherAccount|signInWith|continueWith)|consent\.(verified|appSees|appPages|privacyPolicy|terms|allow|deny)|errors\.(tryAgain|forDeveloper)|claim\.(project|created|hosts|activity|ends|code|approve|deny)|claimed\.(toAccount|replace|toProject)|me\.(leave|pages|newer|older|temporary|firstUsed|lastUsed|known|sessions|signOut|consent|forgetConsent|remove|keep|everywhere))$/
/** A longer title is truncated by the error page. */
const TITLE_MAX = 80
const TITLES = /^errors\.title\.|[tT]itle$|[hH]eading$/
const MESSAGE_MAX = 400

/** Words that these languages share with English. */
const SAME_AS_ENGLISH: readonly string[] = [
  'de site.support',
  'de me.pages',
  'es me.pages',
  'fr me.sessions',
  'pt-BR me.pages',
  'it site.privacy',
  'nl site.privacy',
  'nl site.support',
  'nl claim.project',
  'nl me.pages',
]

const placeOf = (path: string): number => {
  if (LABELS.test(path)) {
    return LABEL_MAX
  }
  return TITLES.test(path) ? TITLE_MAX : MESSAGE_MAX
}

for (const tag of LANGUAGE_TAGS) {
  const messages = await messagesIn(tag)
  describe(`in ${tag}`, () => {
    const texts = catalogue(messages)

    test('every message is there, has text, no markup and no value or unit that does not exist', () => {
      assert.deepEqual([...texts.keys()].sort(), [...ENGLISH_TEXTS.keys()].sort())
      const wrong = [...texts].filter(
        ([, text]) => text.trim() === '' || text !== text.trim() || /[<>#{}]/.test(text),
      )
      assert.deepEqual(wrong, [])
    })

    // proves C242
    test('every message has a translation', { skip: tag === 'en' }, () => {
      const same = [...texts]
        .filter(([path, text]) => text === ENGLISH_TEXTS.get(path))
        .map(([path]) => `${tag} ${path}`)
      assert.deepEqual(
        same.filter((path) => !SAME_AS_ENGLISH.includes(path)),
        [],
      )
    })

    // proves C242
    test('every message contains its values', () => {
      const lost = listed(messages).filter(([path, message]) => {
        const expected = MARKERS.filter((marker) =>
          ENGLISH_TEXTS.get(path)?.includes(String(marker)),
        )
        return expected.some((marker) => !textOf(message).includes(String(marker)))
      })
      assert.deepEqual(
        lost.map(([path]) => path),
        [],
      )
    })

    test('every number has its plural form', () => {
      for (const [path, message] of listed(messages)) {
        for (const count of [0, 1, 2, 3, 5, 11, 21, 100, 1_000_000]) {
          assert.doesNotMatch(
            textOf(message, [count, count, count]),
            /#|NaN|undefined/,
            `${path} ${count}`,
          )
        }
      }
    })

    // proves C242
    test('no message is longer than its place', () => {
      const long = [...texts].filter(([path, text]) => text.length > placeOf(path))
      assert.deepEqual(long, [])
    })

    test('no line begins with a question mark or another mark that follows a space', () => {
      assert.deepEqual(
        [...texts].filter(([, text]) => / [?!:;؟？！]/.test(text)),
        [],
      )
    })

    test('a sentence about a button or a link uses its label', () => {
      const { consent, claim, me, site } = messages
      assert.ok(consent.limited(20).includes(consent.allow), consent.limited(20))
      assert.ok(consent.remembered(30).includes(site.yourData), consent.remembered(30))
      assert.ok(me.consentMeaning(30).includes(consent.allow), me.consentMeaning(30))
      for (const text of [claim.compareOrDeny, claim.unaskedDeny]) {
        assert.ok(text.includes(claim.deny), text)
      }
    })
  })
}

test('a language of a script that is written from right to left has that direction, and no other', () => {
  const isRightToLeft = (tag: string): boolean =>
    ['Arab', 'Hebr', 'Syrc', 'Thaa'].includes(new Intl.Locale(tag).maximize().script ?? '')
  for (const tag of LANGUAGE_TAGS) {
    assert.equal(languageIn(tag).direction, isRightToLeft(tag) ? 'rtl' : 'ltr', tag)
  }
  assert.equal(languageIn('ar').direction, 'rtl')
})
