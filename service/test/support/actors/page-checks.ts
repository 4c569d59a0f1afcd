import assert from 'node:assert/strict'
import { PRIVACY_PATH } from '../../../src/domain/accounts/person.ts'
import { mark, PUBLIC_ASSETS, stylesheet } from '../../../src/http/pages/assets.ts'
import type { Operator } from '../../../src/http/pages/operator.ts'

/** Text that becomes markup in a page that does not escape it. */
export const HOSTILE = `"><script>alert(1)</script><img src=//evil.example onerror='x'>\u202e\u200b`

/** An operator who configured nothing. */
export const OPERATOR: Operator = {
  name: null,
  privacyUrl: PRIVACY_PATH,
  termsUrl: null,
  supportUrl: null,
}

/** Also without `<wbr>`, which depends on the dots of an email address. */
const withoutValues = (page: string): string =>
  page.replaceAll('<wbr>', '').replaceAll(/="[^"]*"/g, '=""')
const tagsOf = (page: string): string[] => withoutValues(page).match(/<[^>]*>/g) ?? []

/** The text of a page, without tags. */
export const textOf = (page: string): string =>
  withoutValues(page)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** Hostile text adds no tag and no attribute: the markup equals that of the page with harmless text. */
export function assertSameTags(page: string, harmless: string): void {
  assert.deepEqual(tagsOf(page), tagsOf(harmless))
  assert.doesNotMatch(page.replaceAll(OWN_SCRIPT, ''), /<script/i)
}

const OWN_SCRIPT = /<script type="module" src="\/assets\/[a-z]+\.[0-9a-f]{12}\.js"><\/script>/g
const OWN_ASSETS = new Set(PUBLIC_ASSETS.map(({ path }) => path))

/** Pages with a decision have the stylesheet and the logo only; `assertPageSecurity` checks that they have no script. */
export function assertOwnAssetsOnly(page: string): void {
  assert.doesNotMatch(page, /style=|<style/)
  const loaded = [
    ...(page.match(/(?<= (?:src|srcset)=")[^"]*/g) ?? []),
    ...(page.match(/(?<=<link rel="(?:stylesheet|icon)"[^>]*href=")[^"]*/g) ?? []),
  ]
  assert.deepEqual(
    loaded.filter((path) => !OWN_ASSETS.has(path)),
    [],
  )
  assert.ok(loaded.includes(stylesheet.path) && loaded.includes(mark.path))
}
