import { displayText } from './display-text.ts'
import { type Html, html } from './markup.ts'

// A host name has at most 253 characters. It is never cut: the end is the part that says whose it is.
const HOST_MAX = 300
const AT_ONCE = 6

/** Hosts in punycode, each on its own line. Beyond a handful they fold, but none is left out: one may be the odd one. */
export function hostList(hosts: readonly string[], none: string): Html {
  if (hosts.length === 0) return html`<p class="none">${none}</p>`
  const [first, rest] = hosts.length > AT_ONCE + 1 ? [hosts.slice(0, AT_ONCE), hosts.slice(AT_ONCE)] : [hosts, []]
  return html`${list(first)}${rest.length > 0 && html`<details><summary>${rest.length} more</summary>${list(rest)}</details>`}`
}

const list = (hosts: readonly string[]): Html =>
  html`<ul class="hosts">${hosts.map((host) => html`<li><strong>${displayText(host, HOST_MAX)}</strong></li>`)}</ul>`
