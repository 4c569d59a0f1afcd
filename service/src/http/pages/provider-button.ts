import { OPERATOR_PROVIDERS, type OperatorProvider, PROVIDERS } from '@gatehouse-auth/contract'
import { hiddenFields } from './fields.ts'
import { ENGLISH, type Language } from './languages/language.ts'
import { type Html, html, ownMarkup } from './markup.ts'

/** The providers with which people sign in to pages of this service: those at which the operator can have a client. */
export type PageProvider = OperatorProvider

interface ProviderButton {
  readonly provider: PageProvider
  /** Google's guidelines allow these words on its button, and no others. */
  readonly words: 'signInWith' | 'continueWith'
  readonly language?: Language
}

export const PAGE_PROVIDERS: readonly PageProvider[] = OPERATOR_PROVIDERS

export const isPageProvider = (name: string): name is PageProvider =>
  PAGE_PROVIDERS.some((each) => each === name)

const markOf = (provider: PageProvider): Html => ownMarkup(PROVIDERS[provider].operator.mark)

export const pageProviderName = (provider: PageProvider): string => PROVIDERS[provider].label

/** A button that leads to a provider. `formAction`: of a form with several buttons. */
export const providerButton = (
  { provider, words, language = ENGLISH }: ProviderButton,
  formAction?: string,
): Html =>
  html`<button class="provider"${formAction !== undefined && html` formaction="${formAction}"`}>${markOf(provider)}<span>${language.messages.site[words](pageProviderName(provider))}</span></button>`

interface ProviderForm extends ProviderButton {
  readonly action: string
  /** Undefined only on pages without a session. */
  readonly csrf: string | undefined
  readonly fields?: Readonly<Record<string, string>>
}

/** The same, in a form of its own. */
export const providerForm = ({ action, csrf, fields = {}, ...button }: ProviderForm): Html =>
  html`<form method="post" action="${action}" class="actions">${hiddenFields({ csrf, ...fields })}${providerButton(button)}</form>`
