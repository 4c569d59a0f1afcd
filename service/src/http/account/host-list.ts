import { ENGLISH } from '../pages/languages/language.ts'
import { type Html, html } from '../pages/markup.ts'
import { displayText, HOST_MAX } from '../pages/text.ts'

const SHOWN = 6

/** Hosts in punycode, one a line. A long list is folded but complete: any one of them may be the suspicious one. */
export function hostList(hosts: readonly string[], none: string, { messages } = ENGLISH): Html {
  if (hosts.length === 0) return html`<p class="none">${none}</p>`
  const [first, rest] = hosts.length > SHOWN + 1 ? [hosts.slice(0, SHOWN), hosts.slice(SHOWN)] : [hosts, []]
  return html`${list(first)}${rest.length > 0 && html`<details><summary>${messages.claim.moreHosts(rest.length)}</summary>${list(rest)}</details>`}`
}

const list = (hosts: readonly string[]): Html =>
  html`<ul class="hosts">${hosts.map((host) => html`<li><strong dir="ltr">${displayText(host, HOST_MAX)}</strong></li>`)}</ul>`
