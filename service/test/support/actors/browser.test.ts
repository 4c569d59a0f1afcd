import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Transport } from '../transport/http-transport.ts'
import { Browser } from './browser.ts'
import { readControls } from './html-controls.ts'

const SERVICE = 'https://svc.example'

interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** A browser with scripted responses, and every request that it sends. */
function scripted(responses: Readonly<Record<string, () => Response>>, origins = [SERVICE]) {
  const sent: SentRequest[] = []
  const transport: Transport = (url, { method, headers, body }) => {
    sent.push({ method, url: url.href, headers, body: body === null ? null : String(body) })
    return (
      responses[`${method} ${url.origin === SERVICE ? url.pathname : url.href}`]?.() ??
      new Response(null, { status: 404 })
    )
  }
  const clock = { now: 0 }
  return { sent, clock, browser: new Browser({ origins, transport, now: () => clock.now }) }
}

const page =
  (html: string, headers: Record<string, string> = {}) =>
  () =>
    new Response(html, { headers })
const redirect =
  (location: string, status = 303) =>
  () =>
    new Response(null, { status, headers: { Location: location } })

test('the browser follows redirects to a page or to a foreign origin', async () => {
  const { browser, sent } = scripted({
    'GET /a': redirect('/b', 302),
    'GET /b': redirect('https://app.example/cb?token=1'),
  })
  const finalUrl = await browser.open(`${SERVICE}/a`)

  assert.equal(finalUrl.href, 'https://app.example/cb?token=1')
  assert.deepEqual(
    sent.map(({ url }) => url),
    [`${SERVICE}/a`, `${SERVICE}/b`],
  )
  // The open page is the redirect itself, so that tests can read its headers.
  assert.equal(browser.page.status, 303)
})

test('a redirect loop is an error', async () => {
  const { browser } = scripted({ 'GET /loop': redirect('/loop') })
  await assert.rejects(browser.open(`${SERVICE}/loop`), /Too many redirects/)
})

test('a form is submitted with the fields and headers that a browser sends', async () => {
  const form = `<form method="post" action="/go?x=1">
    <input type="hidden" name="csrf" value="a&amp;b"><input name="note"><input type="checkbox" name="tick">
    <textarea name="more">1 &lt; 2</textarea>
    <button name="decision" value="allow">Continue <b>now</b></button><button name="decision" value="deny">Cancel</button>
  </form>`
  const { browser, sent } = scripted({
    'GET /form': page(form, { 'Referrer-Policy': 'no-referrer' }),
    'GET /open-form': page(form),
    'POST /go': page('done'),
  })
  await browser.open(`${SERVICE}/form`)
  await browser.press('Continue', { note: 'héllo' })

  const [opened, posted] = sent
  assert.equal(opened?.headers['Sec-Fetch-Site'], 'none')
  assert.equal(opened?.headers.Origin, undefined)
  assert.equal(posted?.url, `${SERVICE}/go?x=1`)
  assert.deepEqual(Object.fromEntries(new URLSearchParams(posted?.body ?? '')), {
    csrf: 'a&b',
    note: 'héllo',
    more: '1 < 2',
    decision: 'allow',
  })
  assert.equal(posted?.headers.Origin, 'null')
  assert.equal(posted?.headers['Sec-Fetch-Site'], 'same-origin')
  assert.equal(posted?.headers['Sec-Fetch-Mode'], 'navigate')

  await browser.open(`${SERVICE}/open-form`)
  await browser.press('Cancel', { tick: 'on' })
  assert.equal(sent.at(-1)?.headers.Origin, SERVICE)
  assert.match(sent.at(-1)?.body ?? '', /tick=on&decision=deny$/)
})

test('a missing button or field is an error that lists the existing ones', async () => {
  const { browser } = scripted({
    'GET /': page('<form><input name="a"><button>Go on</button><button>Go back</button></form>'),
  })
  await browser.open(SERVICE)
  await assert.rejects(browser.press('Stop'), /no button “Stop”. It has: “Go on”, “Go back”/)
  await assert.rejects(browser.press('Go'), /more than one button “Go”/)
  await assert.rejects(browser.press('Go on', { b: '1' }), /no field “b”. It has: a/)
})

test('a form from another site carries its own Origin and no SameSite=Lax cookie', async () => {
  const evil = 'https://evil.example/'
  const { browser, sent } = scripted(
    {
      'GET /': () =>
        new Response('', { headers: { 'Set-Cookie': 'session=1; Path=/; Secure; HttpOnly' } }),
      [`GET ${evil}`]: page(
        `<form method="post" action="${SERVICE}/act"><button>Win</button></form><a href="${SERVICE}/">Go</a>`,
      ),
    },
    [SERVICE, 'https://evil.example'],
  )
  await browser.open(SERVICE)
  await browser.open(evil)
  await browser.press('Win')
  assert.equal(sent.at(-1)?.headers.Cookie, undefined)
  assert.equal(sent.at(-1)?.headers.Origin, 'https://evil.example')
  assert.equal(sent.at(-1)?.headers['Sec-Fetch-Site'], 'cross-site')

  await browser.open(evil)
  await browser.follow('Go')
  assert.equal(sent.at(-1)?.headers.Cookie, 'session=1')
})

test('a form of a sandboxed page is cross-site, even to its own site, and a redirect after it sends the Lax cookie', async () => {
  const cookie = { 'Set-Cookie': 'login=1; Path=/; Secure; HttpOnly; SameSite=Lax' }
  const form = '<form method="post" action="/act"><button>Continue</button></form>'
  const { browser, sent } = scripted({
    'GET /': page(form, {
      ...cookie,
      'Content-Security-Policy': "default-src 'none'; sandbox allow-forms",
    }),
    'GET /same-origin': page(form, {
      'Content-Security-Policy': 'sandbox allow-forms allow-same-origin',
    }),
    'POST /act': redirect('/end'),
    'GET /end': page('done'),
  })
  await browser.open(SERVICE)
  await browser.press('Continue')
  const [, posted, ended] = sent
  assert.deepEqual(
    [posted?.headers.Origin, posted?.headers['Sec-Fetch-Site']],
    ['null', 'cross-site'],
  )
  assert.deepEqual([posted?.headers.Cookie, ended?.headers.Cookie], [undefined, 'login=1'])
  await browser.open(`${SERVICE}/same-origin`)
  await browser.press('Continue')
  assert.equal(sent.at(-2)?.headers.Cookie, 'login=1')
})

test('cookies are kept by host and path until they expire or are deleted', async () => {
  const cookies = [
    'a=1; Path=/',
    'b=2; Path=/deep; Max-Age=60',
    '__Host-c=3; Path=/; Secure',
    'd=4',
  ]
  const { browser, clock, sent } = scripted({
    'GET /deep/set': () =>
      new Response('', {
        headers: cookies.map((cookie) => ['Set-Cookie', cookie] as [string, string]),
      }),
    'GET /unset': () => new Response('', { headers: { 'Set-Cookie': 'a=; Path=/; Max-Age=0' } }),
  })
  const sentTo = async (path: string) => {
    await browser.open(SERVICE + path)
    return sent.at(-1)?.headers.Cookie
  }
  await browser.open(`${SERVICE}/deep/set`)

  assert.equal(await sentTo('/deep/page'), 'b=2; d=4; a=1; __Host-c=3')
  assert.equal(await sentTo('/deeper'), 'a=1; __Host-c=3')
  clock.now = 60_000
  assert.equal(await sentTo('/deep'), 'd=4; a=1; __Host-c=3')
  await browser.open(`${SERVICE}/unset`)
  assert.equal(await sentTo('/'), '__Host-c=3')
})

test('a cookie that a browser would silently drop is an error', async () => {
  for (const cookie of [
    '__Host-a=1; Secure; Path=/x',
    '__Host-a=1; Path=/',
    'a=1; SameSite=None',
    'a=1; Domain=svc.example',
  ]) {
    const { browser } = scripted({
      'GET /': () => new Response('', { headers: { 'Set-Cookie': cookie } }),
    })
    await assert.rejects(browser.open(SERVICE), Error, cookie)
  }
})

test('a bare request sends cookies, follows no redirect and leaves the open page unchanged', async () => {
  const { browser, sent } = scripted({
    'GET /': () => new Response('home', { headers: { 'Set-Cookie': 'a=1' } }),
    'POST /act': redirect('/'),
  })
  await browser.open(SERVICE)
  const response = await browser.request('/act', {
    method: 'POST',
    body: new URLSearchParams({ x: '1' }),
  })

  assert.equal(response.status, 303)
  assert.equal(sent.at(-1)?.headers.Cookie, 'a=1')
  assert.equal(sent.at(-1)?.body, 'x=1')
  assert.equal(browser.page.text, 'home')
})

test('only visible links, forms and submit buttons are read from a page', () => {
  const { forms, links } = readControls(`
    <!-- <form><button>No</button></form> --><script>"<a href='/x'>no</a>"</script>
    <a href="/one?a=1&amp;b=2">  The <em>first</em>
      link </a>
    <form id="f" method="POST"><input type="submit" value="Save"></form>
    <button form="f" name="b" value="2" formaction="/other" aria-label="Outside">x</button>
    <button type="button">Not a submit</button>`)
  assert.deepEqual(links, [{ text: 'The first link', href: '/one?a=1&b=2' }])
  assert.deepEqual(
    forms.map(({ method, buttons }) => ({ method, buttons })),
    [
      {
        method: 'POST',
        buttons: [
          { text: 'Save', field: null, action: null },
          { text: 'Outside', field: ['b', '2'], action: '/other' },
        ],
      },
    ],
  )
})
