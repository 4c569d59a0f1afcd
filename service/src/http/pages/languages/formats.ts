import type { LanguageTag } from '../../../domain/language.ts'
import type { Language } from './language.ts'
import { intlLocale } from './messages.ts'

/** One formatter for each language, created at its first use. */
function formatterIn<T>(create: (locale: string) => T): (language: Language) => T {
  const created = new Map<LanguageTag, T>()
  return ({ tag }) => {
    const formatter = created.get(tag) ?? create(intlLocale(tag))
    created.set(tag, formatter)
    return formatter
  }
}

/** `3 hours ago` */
export const relativeFormat = formatterIn((locale) => new Intl.RelativeTimeFormat(locale))

/** `15 Nov 2026, 14:03 UTC` */
export const exactFormat = formatterIn(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: 'UTC',
      timeZoneName: 'short',
    }),
)

/** `1 December`, of the UTC day. */
export const dayFormat = formatterIn(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }),
)

/** `GitHub or Microsoft` */
export const choiceFormat = formatterIn(
  (locale) => new Intl.ListFormat(locale, { type: 'disjunction' }),
)

/** `3 users, 5 sign-ins` */
export const countsFormat = formatterIn(
  (locale) => new Intl.ListFormat(locale, { style: 'narrow' }),
)
