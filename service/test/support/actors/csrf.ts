import assert from 'node:assert/strict'
import type { Browser } from './browser.ts'

/** The CSRF token of the form on the open page. */
export const csrfOf = ({ page }: Pick<Browser, 'page'>): string => csrfIn(page.text)

export function csrfIn(html: string): string {
  const [, token] = /name="csrf" value="([^"]+)"/.exec(html) ?? []
  assert.ok(token, 'the page has a form with a csrf token')
  return token
}
