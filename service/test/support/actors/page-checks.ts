import assert from 'node:assert/strict'
import { mark, stylesheet } from '../../../src/http/pages/assets.ts'
import { type Operator, PRIVACY_PATH } from '../../../src/http/pages/operator.ts'

/** Text that becomes markup in a page that does not escape it. */
export const HOSTILE = `"><script>alert(1)</script><img src=//evil.example onerror='x'>\u202e\u200b`

/** An operator who configured nothing. */
export const OPERATOR: Operator = { name: null, privacyUrl: PRIVACY_PATH, termsUrl: null, supportUrl: null }

const withoutValues = (page: string): string => page.replaceAll(/="[^"]*"/g, '=""')
const tagsOf = (page: string): string[] => withoutValues(page).match(/<[^>]*>/g) ?? []

/** The text of a page, without tags. */
export const textOf = (page: string): string =>
  withoutValues(page)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** Hostile text adds no tag and no attribute: the markup equals that of the page with harmless text. */
export function assertSameTags(page: string, harmless: string): void {
  assert.deepEqual(tagsOf(page), tagsOf(harmless))
  assert.doesNotMatch(page, /<script/i)
}

export function assertOwnAssetsOnly(page: string): void {
  assert.doesNotMatch(page, /style=|<style/)
  assert.deepEqual(new Set(page.match(/(?<=<img src=")[^"]*/g)), new Set([mark.path]))
  assert.equal(tagsOf(page).filter((tag) => tag.includes(' src=')).length, 1)
  assert.deepEqual(page.match(/(?<=<link [^>]*href=")[^"]*/g), [stylesheet.path, mark.path])
}
