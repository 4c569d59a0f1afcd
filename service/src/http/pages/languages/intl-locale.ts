import type { LanguageTag } from '../../../domain/language.ts'

/**
 * The locale for `Intl`. Western digits in every language: the codes, hosts and ids beside them have the same.
 * English has the order of day and month that the other languages have.
 */
export const intlLocale = (tag: LanguageTag): string => `${tag === 'en' ? 'en-GB' : tag}-u-nu-latn`
