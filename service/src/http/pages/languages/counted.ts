import type { LanguageTag } from '../../../domain/language.ts'
import { lazy } from '../lazy.ts'
import { intlLocale } from './intl-locale.ts'

/** The forms that a language has (CLDR). `#` is the number. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

/** The form of a text that goes with a number: `1 user`, `12,345 users`. */
export function countedIn(tag: LanguageTag): (count: number, forms: PluralForms) => string {
  const rules = lazy(() => new Intl.PluralRules(intlLocale(tag)))
  const numbers = lazy(() => new Intl.NumberFormat(intlLocale(tag)))
  return (count, forms) => (forms[rules().select(count)] ?? forms.other).replace('#', numbers().format(count))
}
