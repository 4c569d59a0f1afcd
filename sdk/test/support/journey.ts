import assert from 'node:assert/strict'
import { Browser } from '../../../service/test/support/actors/browser.ts'
import { overHttp, type Transport } from '../../../service/test/support/transport/http-transport.ts'
import type { Scene } from './scene.ts'

export interface App {
  readonly url: string
  /** A page for the signed-in. With a query, so that it must survive the way. */
  readonly page: string
  readonly shows: RegExp
  /** Where one signs in, in an app whose page does not send there by itself. */
  readonly login?: string
  readonly transport?: Transport
}

export const NOTES = { page: '/notes?page=2', shows: /Notes of (<!-- -->)?ada@example\.com/ }

/**
 * A person comes, signs in, stays for hours, and signs out: in a browser, through whatever the app is built with. Ends
 * with what the service saw of it.
 */
export async function comeStayAndLeave(there: Scene, app: App): Promise<void> {
  const { here, tenant, another, anHourLater } = there
  const { url, page, shows, login, transport = overHttp } = app
  const events = ['login_started', 'authorize', 'token_refreshed']
  const person = new Browser({ origins: [here.baseUrl, url], transport, now: here.clock.now })
  const held = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      person.cookies
        .list()
        .filter(({ name }) => name.startsWith('gh_'))
        .map(({ name, value }) => [name, value]),
    )
  const sees = async (): Promise<void> => {
    const landed = await person.open(url + page)
    assert.equal(landed.href, url + page, person.page.text)
    assert.match(person.page.text, shows)
  }

  await person.open(url + (login ?? page))
  await person.press('Ada Lovelace')
  const landed = await person.press('Continue')
  assert.equal(landed.href, url + page, 'where it was headed, with nothing in the address')
  assert.match(person.page.text, shows)
  const first = held()
  assert.deepEqual(Object.keys(first).sort(), ['gh_access', 'gh_refresh'], 'the nonce is gone')
  await sees()
  assert.deepEqual(held(), first, 'a good pair is left alone')

  anHourLater()
  await sees()
  const second = held()
  assert.deepEqual(Object.keys(second).sort(), ['gh_access', 'gh_refresh'])
  assert.notEqual(second.gh_refresh, first.gh_refresh)

  if (login === undefined) {
    // Another process of the app is quicker, and its cookies are on the way to the browser.
    here.clock.advance({ minutes: 1 })
    const { refreshToken } = await another().refresh(second.gh_refresh ?? '')
    const again = await person.request(url + page)
    assert.equal(again.status, 307)
    assert.equal(new URL(again.headers.get('location') ?? '', url).href, url + page)
    person.cookies.keep(new URL(url), [`gh_refresh=${refreshToken}; Path=/; Max-Age=2592000`])
    await sees()
    events.push('token_refreshed', 'token_refreshed')
  }

  // Whoever signs out with an access token that is over is signed out all the same.
  anHourLater()
  if (person.page.text.includes('Sign out</button>')) await person.press('Sign out')
  else await person.request(`${url}/logout`, { method: 'POST', headers: { Origin: url }, body: new URLSearchParams() })
  assert.deepEqual(held(), {}, 'nothing is left in the browser')
  events.push('logout')
  await person.open(url + page)
  assert.doesNotMatch(person.page.text, shows)
  if (login === undefined) events.push('login_started')
  assert.deepEqual(await tenant.eventKinds(), events)
}
