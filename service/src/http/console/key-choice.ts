import { ApiError } from '../../domain/api-error.ts'
import type { KeyReplacement } from '../../operations/tenants/keys.ts'
import { choiceField } from '../pages/fields.ts'
import { ENGLISH } from '../pages/languages/language.ts'
import { type Html, html } from '../pages/markup.ts'
import { displayText, HOST_MAX } from '../pages/text.ts'

type KeyChoice = 'keep' | KeyReplacement

/** Radio buttons for what happens to the keys. The first choice is selected. */
export const keyChoices = (
  legend: string,
  choices: readonly [KeyChoice, ...KeyChoice[]],
  { messages } = ENGLISH,
): Html =>
  choiceField({
    name: 'keys',
    legend,
    chosen: choices[0],
    choices: choices.map((value) => ({ value, label: messages.claim.keyChoice[value] })),
  })

/** The choice of a posted form; the first one if it names none. */
export function readKeyChoice<C extends KeyChoice>(
  form: URLSearchParams,
  choices: readonly [C, ...C[]],
): C {
  const chosen = form.get('keys') ?? choices[0]
  const choice = choices.find((each) => each === chosen)
  if (choice === undefined) {
    throw new ApiError('invalidRequest', 'Choose on our page what happens to the keys.')
  }
  return choice
}

const SHOWN = 6

/** Hosts in punycode, one a line. A long list is folded but complete: any one of them may be the suspicious one. */
export function hostList(hosts: readonly string[], none: string, { messages } = ENGLISH): Html {
  if (hosts.length === 0) {
    return html`<p class="none">${none}</p>`
  }
  const [first, rest] =
    hosts.length > SHOWN + 1 ? [hosts.slice(0, SHOWN), hosts.slice(SHOWN)] : [hosts, []]
  return html`${list(first)}${rest.length > 0 && html`<details><summary>${messages.claim.moreHosts(rest.length)}</summary>${list(rest)}</details>`}`
}

const list = (hosts: readonly string[]): Html =>
  html`<ul class="hosts">${hosts.map((host) => html`<li><strong dir="ltr">${displayText(host, HOST_MAX)}</strong></li>`)}</ul>`
