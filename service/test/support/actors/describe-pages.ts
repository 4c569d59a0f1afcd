import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SIGN_IN_PATH } from '../../../src/http/console/paths.ts'
import { readControls } from './html-controls.ts'
import { assertOwnAssetsOnly, assertSameTags, HOSTILE, textOf } from './page-checks.ts'

/** Pages by name, with `text` wherever untrusted text is shown. */
type PagesWith = (text: string) => Readonly<Record<string, string>>

/** What holds for every page of the account. `verbatim` pages show text as it is, such as a key file. */
export function describePages(pages: PagesWith, verbatim: readonly string[] = []): void {
  const harmless = pages('Ada')
  for (const [name, page] of Object.entries(pages(HOSTILE))) {
    describePage(name, page, harmless[name] ?? '')
  }

  test('untrusted text cannot hide or reorder the words around it', () => {
    for (const [name, page] of Object.entries(pages('Ada\u202e\u200b'))) {
      if (verbatim.includes(name)) {
        continue
      }
      // Status messages, code and what the owner edits are shown verbatim.
      const shown = textOf(
        page.replaceAll(
          /<p class="notice" role="status">.*?<\/p>|<pre.*?<\/pre>|<textarea.*?<\/textarea>/gs,
          '',
        ),
      )
      assert.doesNotMatch(shown, /[\u202e\u200b]/, name)
    }
  })
}

const describePage = (name: string, page: string, harmless: string): void =>
  void describe(`the ${name} page`, () => {
    test('has the same tags and attributes whatever the untrusted text contains', () => {
      assertSameTags(page, harmless)
    })

    test('loads no third-party resource', () => {
      assertOwnAssetsOnly(page)
    })

    test('has one h1, unique ids and unique region names', () => {
      assert.equal(page.match(/<h1[ >]/g)?.length, 1)
      for (const names of [
        page.match(/(?<= id=")[^"]*/g),
        page.match(/(?<=role="region" aria-label=")[^"]*/g),
      ]) {
        assert.equal(new Set(names).size, names?.length ?? 0)
      }
    })

    test('links and posts to paths of this site only', () => {
      const { forms, links } = readControls(page)
      for (const address of [
        ...forms.map(({ action }) => action),
        ...links.map(({ href }) => href),
      ]) {
        assert.match(address, /^(?:\/(?![/\\])|#)/)
      }
    })

    test('sends the CSRF token with every POST of a session, and never in a URL', () => {
      for (const { method, names, action } of readControls(page).forms) {
        assert.equal(names.has('csrf'), method === 'POST' && action !== SIGN_IN_PATH)
      }
    })
  })

/** The action, fields and buttons of each form. */
export const formsOf = (page: string) =>
  readControls(page).forms.map(({ action, fields, buttons }) => [
    action,
    fields,
    buttons.map(({ text }) => text),
  ])
