import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  assertOwnAssetsOnly,
  assertSameTags,
  HOSTILE,
  OPERATOR,
  textOf,
} from '../../../test/support/actors/page-checks.ts'
import { searchPage } from '../discovery/docs/search.ts'
import { feedbackPage } from '../discovery/feedback.ts'
import { homePage } from '../discovery/home-page.ts'
import { notFoundPage, notFoundText } from '../discovery/not-found.ts'
import { statusPage } from '../discovery/pages.ts'
import { type Consent, consentPage, linkPage } from '../edge/consent-page.ts'
import { inlineCode } from './elements.ts'
import { errorPage } from './error-page.ts'
import { ENGLISH } from './languages/language.ts'
import { webUrl } from './layout.ts'
import { html } from './markup.ts'

const APP = { host: 'notes.example.com', verified: false, brand: null }

const consent = (changes: Partial<Consent> = {}): string =>
  String(
    (changes.account ? linkPage : consentPage)({
      operator: OPERATOR,
      language: ENGLISH,
      action: '/login/consent',
      csrf: 'c5rf',
      app: APP,
      person: { email: 'ada@example.com', name: 'Ada Lovelace' },
      account: null,
      provider: 'Google',
      temporary: false,
      remembered: null,
      ...changes,
    }),
  )

const failure = {
  operator: OPERATOR,
  status: 410,
  title: 'This sign-in has ended',
  message: 'Start again from the app.',
  requestId: 'req_1',
  report: ['loginOver (410) at GET /auth/consent/:attemptId'],
}

/** Every page, with `text` wherever untrusted text is shown. */
const pages = (text: string): Readonly<Record<string, string>> => ({
  consent: consent({
    csrf: text,
    app: {
      host: text,
      verified: true,
      brand: {
        name: text,
        logo: null,
        accent: 'blue',
        privacyUrl: `https://app.example/${text}`,
        termsUrl: null,
      },
    },
    person: { email: text, name: text },
    temporary: true,
    remembered: text,
    retryAfterSeconds: 20,
  }),
  link: consent({
    csrf: text,
    app: { ...APP, host: text },
    account: { email: text, name: text },
    person: { email: text, name: text },
    provider: text,
  }),
  failure: String(
    errorPage({
      operator: OPERATOR,
      status: 400,
      title: text,
      message: text,
      report: [text],
      requestId: text,
      wayBack: { href: `https://app.example/${text}`, label: html`Back` },
    }),
  ),
  'not-found': String(notFoundPage({ path: text, operator: OPERATOR })),
  home: String(
    homePage({ operator: OPERATOR, baseUrl: 'http://localhost:8787', development: true }),
  ),
  status: String(
    statusPage({ operator: OPERATOR, development: false, problems: [text], faults: [], now: 0 }),
  ),
  search: String(
    searchPage({
      operator: OPERATOR,
      query: text,
      found: [
        {
          path: '/docs/limits#one',
          page: 'Limits',
          heading: 'One',
          text: 'No match.',
          code: '',
          isGuide: true,
        },
      ],
    }),
  ),
  feedback: String(
    feedbackPage({
      operator: OPERATOR,
      baseUrl: 'http://localhost:8787',
      form: { csrf: text, projects: [text, 'b'], text, project: null, problem: text, sent: true },
    }),
  ),
})

const harmless = pages('Ada')

for (const [name, page] of Object.entries(pages(HOSTILE))) {
  describe(`the ${name} page`, () => {
    test('has the same tags and attributes whatever the untrusted text contains', () => {
      assertSameTags(page, harmless[name] ?? '')
    })

    test('loads no third-party resource', () => {
      assertOwnAssetsOnly(page)
    })

    test('has a language, a title and one h1', () => {
      assert.match(page, /^<!doctype html>\n<html lang="en">/)
      assert.match(page, /<title>.+ · Gatehouse<\/title>/s)
      assert.equal(page.match(/<h1>/g)?.length, 1)
    })
  })
}

test('untrusted text cannot hide or reorder the words around it', () => {
  const { consent, failure, 'not-found': notFound } = pages(HOSTILE)
  for (const page of [consent, failure, notFound]) {
    assert.doesNotMatch(textOf(page ?? ''), /[\u202e\u200b]/)
  }
})

describe('the consent page', () => {
  test('names the host of the app, and what the app will see', () => {
    const text = consent().replaceAll(/<[^>]+>/g, '')
    assert.match(text, /Sign in to notes\.example\.com\?/)
    assert.equal(text.split('notes.example.com').length, 3, 'in the title and in the headline only')
    assert.match(text, /name, email address and profile picture/)
    const unnamed = textOf(consent({ person: { email: 'ada@example.com', name: null } }))
    assert.match(
      unnamed,
      /The app will see Your email address and profile picture/,
      'a name that it does not get',
    )
    assert.match(textOf(consent()), /Nothing else from your Google account\./)
    const page = consent({ account: { email: 'ada@example.org', name: null }, provider: 'GitHub' })
    assert.match(
      textOf(page),
      /Your account at notes\.example\.com A ada@example\.org New: this GitHub account AL Ada Lovelace/,
    )
  })

  test('says for how many days it is not shown again, if Continue is remembered', () => {
    assert.match(
      textOf(consent({ remembered: 'hash' })),
      /this browser doesn’t ask you again for 30 days/,
    )
    assert.doesNotMatch(textOf(consent()), /ask you again/)
  })

  test('calls a callback with a scheme of its own an app on this device', () => {
    const text = textOf(consent({ app: { ...APP, host: 'com.example.notes:' } }))
    assert.match(text, /Sign in to an app on this device\? com\.example\.notes:/)
  })

  test('never truncates a host name: its end says who controls it', () => {
    const appHost = `accounts.google.com.${'a'.repeat(61)}.${'b'.repeat(61)}.${'c'.repeat(61)}.${'d'.repeat(31)}.evil.example:65535`
    const page = consent({ app: { ...APP, host: appHost } })
    assert.ok(page.includes(`<title>Sign in to ${appHost}`))
    assert.ok(
      page
        .replaceAll(/<\/?b>/g, '')
        .includes(`<span class="host"><span dir="ltr">${appHost}</span>?</span>`),
    )
  })

  // proves C334, S069
  test('shows the registrable domain in bold, whatever comes before it', () => {
    for (const [host, markup] of [
      ['accounts.google.com.evil.example', 'accounts.google.com.<b>evil.example</b>'],
      ['example.co.uk:8443', '<b>example.co.uk</b>:8443'],
      ['alice.github.io', '<b>alice.github.io</b>'],
      ['192.0.2.1:8443', '<b>192.0.2.1:8443</b>'],
    ] as const) {
      assert.ok(
        consent({ app: { ...APP, host } }).includes(
          `<span class="host"><span dir="ltr">${markup}</span>?</span>`,
        ),
        host,
      )
    }
  })

  // proves C334, S069
  test('shows an internationalized host in Punycode, and beside it in its own letters', () => {
    const text = textOf(consent({ app: { ...APP, host: 'xn--mnchen-3ya.example' } }))
    assert.match(text, /Sign in to xn--mnchen-3ya\.example \?/)
    assert.match(text, /In its own letters: münchen\.example/)
    assert.doesNotMatch(textOf(consent()), /own letters/)
  })

  // proves C334
  test('calls localhost an app on this computer', () => {
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000']) {
      const text = textOf(consent({ app: { ...APP, host } }))
      assert.match(text, /Sign in to an app on this computer\?/)
      assert.ok(text.includes(host))
    }
    assert.doesNotMatch(
      textOf(consent({ app: { ...APP, host: 'localhost.evil.example' } })),
      /this computer/,
    )
  })

  // proves C339, S068
  test('shows the name after the host, and the color of an app on the Continue button only', () => {
    const brand = {
      name: 'Example Notes',
      logo: null,
      accent: 'pink',
      privacyUrl: null,
      termsUrl: null,
    } as const
    const page = consent({ app: { ...APP, verified: true, brand } })
    assert.ok(page.indexOf('notes.<b>example.com</b>') < page.indexOf('Example Notes'))
    assert.match(page, /<p class="logo monogram" aria-hidden="true">EN<\/p>/)
    assert.match(textOf(page), /Verified domain/)
    assert.deepEqual(page.match(/accent-\w+/g), ['accent-pink'])
    assert.match(page, /<button name="decision" value="allow" class="accent-pink">/)
    const pictured = consent({
      app: { ...APP, verified: true, brand: { ...brand, logo: '/logo/a/b.png' } },
    })
    assert.match(pictured, /<img src="\/logo\/a\/b\.png" alt="" width="64" height="64">/)
    assert.doesNotMatch(page, /own pages/)
    assert.doesNotMatch(consent(), /Verified domain|app-facts/)
    const unnamed = consent({ app: { ...APP, verified: true } })
    assert.deepEqual(
      [/Verified domain/.test(unnamed), /app-facts">\s*<strong|logo monogram/.test(unnamed)],
      [true, false],
    )
    assert.doesNotMatch(
      consent({ app: { ...APP, verified: true, brand: { ...brand, accent: null } } }),
      /accent-/,
    )
    const links = (urls: { privacyUrl?: string; termsUrl?: string }) =>
      /app-links">(.*)<\/dd>/
        .exec(consent({ app: { ...APP, verified: true, brand: { ...brand, ...urls } } }))?.[1]
        ?.trim()
    const link = (path: string, label: string) =>
      `<a href="https://example.com/${path}" target="_blank" rel="noopener">${label}</a>`
    assert.equal(links({ termsUrl: 'https://example.com/terms' }), link('terms', 'Terms'))
    assert.equal(
      links({ privacyUrl: 'https://example.com/privacy' }),
      link('privacy', 'Privacy policy'),
    )
  })

  test('has a POST form with two buttons, and one to use another account, each with the CSRF token', () => {
    for (const page of [consent(), consent({ retryAfterSeconds: 3 })]) {
      const fields = page.match(/<(form|input|button|select|textarea)[^>]*>/g)
      assert.deepEqual(fields, [
        '<form method="post" action="/login/consent">',
        '<input type="hidden" name="csrf" value="c5rf">',
        '<button name="decision" value="other" class="text">',
        '<form method="post" action="/login/consent" class="actions">',
        '<input type="hidden" name="csrf" value="c5rf">',
        '<button name="decision" value="allow">',
        '<button name="decision" value="deny" class="quiet">',
      ])
    }
  })

  test('calls only the app of a guest tenant temporary and unverified', () => {
    assert.match(consent({ temporary: true }), /Temporary, unverified app/)
    assert.doesNotMatch(consent(), /unverified/)
  })

  test('says after how many seconds to retry when the app is rate limited', () => {
    const limited = (retryAfterSeconds: number) => consent({ retryAfterSeconds })
    assert.match(limited(22.1), /Press Continue again in 23 seconds\./)
    assert.match(limited(0), /Press Continue again in 1 second\./)
    assert.doesNotMatch(consent(), /Press Continue again/)
  })

  test('shows a user without a name by their email address', () => {
    for (const name of [null, '', '\u200b ']) {
      const page = consent({ person: { email: 'ada@example.com', name } })
      assert.match(page, /<bdi>ada@<wbr>example<wbr>\.com<\/bdi>/)
      assert.doesNotMatch(page, /<bdi><\/bdi>|Your name/, 'nor does the app see a name')
    }
    assert.match(consent(), /Your name/)
  })
})

describe('the error page', () => {
  test('shows the message, the status and the request id', () => {
    const page = String(errorPage(failure))
    assert.match(
      page,
      /<h1>This <span class="unbroken">sign-in<\/span> has ended<\/h1>\s*<p>Start again from the app\.<\/p>/,
    )
    assert.match(page, /Status 410 · Request <code>req_1<\/code>/)
    assert.match(
      page,
      /<details class="detail">\s*<summary>For the app’s developer<\/summary>.*loginOver \(410\)/s,
    )
    assert.match(page, /<a class="button" href="">Try again<\/a>/, 'without a way back')
  })

  test('links back to the app only with an http or https URL', () => {
    const page = (href: string) =>
      String(errorPage({ ...failure, wayBack: { href, label: html`Back` } }))
    assert.match(
      page('https://app.example/'),
      /<a class="button" href="https:\/\/app\.example\/">Back<\/a>/,
    )
    assert.doesNotMatch(page('javascript:alert(1)'), /Back|javascript/)
  })
})

test('a link may contain an http or https URL or a path of this site, and nothing else', () => {
  const allowed = [
    ['https://app.example/a?b#c', 'https://app.example/a?b#c'],
    ['http://localhost:3000', 'http://localhost:3000/'],
    ['/docs/errors#rateLimited', '/docs/errors#rateLimited'],
    ['/', '/'],
  ] as const
  for (const [address, kept] of allowed) {
    assert.equal(webUrl(address), kept)
  }

  const rejected = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '\u0001javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'mailto:a@b.example',
    '//evil.example/x',
    '/\\evil.example/x',
    '/\t/evil.example/x',
    'https://google.com@evil.example/',
    'docs',
    '#here',
    '',
  ]
  for (const address of rejected) {
    assert.equal(webUrl(address), null, address)
  }
})

test('only words between backticks become code', () => {
  assert.equal(
    String(inlineCode('a `b` <c> `<d>`')),
    'a <code>b</code> &lt;c&gt; <code>&lt;d&gt;</code>',
  )
})

describe('the front page', () => {
  const home = (development: boolean) =>
    String(homePage({ operator: OPERATOR, baseUrl: 'https://gatehouse.example', development }))

  test('has the prompt for an agent, the command and the SDK, from the base URL of this service', () => {
    for (const command of [
      'npx --@gatehouse-auth:registry=https://gatehouse.example/packages/npm/ @gatehouse-auth/local init',
      'Read https://gatehouse.example/llms.txt and follow it.',
      'npm install @gatehouse-auth/sdk express',
    ]) {
      assert.ok(home(false).includes(command), command)
    }
  })

  test('mentions the development Google only in development mode', () => {
    assert.match(home(true), /stand-in for Google.*href="\/docs\/self-hosting#settings"/s)
    assert.doesNotMatch(home(false), /stand-in|GOOGLE_/)
  })

  // test/discovery/links.test.ts follows each of these links.
  test('links to the docs for agents and for people, and to this site only', () => {
    const links: string[] = home(true).match(/(?<=<a [^>]*href=")[^"]*/g) ?? []
    assert.deepEqual(
      links.filter(
        (link) => link !== '#content' && (webUrl(link) !== link || !link.startsWith('/')),
      ),
      [],
    )
    for (const way of [
      '/llms.txt',
      '/docs/mcp#add-it-to-your-agent',
      '/docs/quick-start',
      '/docs/sdk',
      '/account',
    ]) {
      assert.ok(links.includes(way), way)
    }
  })

  test('describes itself to search engines and link previews, with a picture of this service', () => {
    for (const part of [
      /<meta name="description" content="[^"]{50,160}">/,
      /<meta property="og:image" content="https:\/\/gatehouse\.example\/assets\/social\.[0-9a-f]{12}\.png">/,
      /<link rel="canonical" href="https:\/\/gatehouse\.example\/">/,
    ]) {
      assert.match(home(false), part)
    }
  })
})

test('the status page says whether this instance is ready, and why not', () => {
  const status = (problems: readonly string[]) =>
    String(statusPage({ operator: OPERATOR, development: false, problems, faults: [], now: 0 }))
  assert.match(status([]), /<strong>Ready<\/strong>/)
  assert.match(
    status(['a <b> is down']),
    /<strong>Not ready<\/strong>\s*<span>a &lt;b&gt; is down\.<\/span>/,
  )
  const supportUrl = 'https://example.com/support'
  const page = statusPage({
    operator: { ...OPERATOR, supportUrl },
    development: false,
    problems: [],
    faults: [],
    now: 0,
  })
  assert.ok(String(page).includes(`<a href="${supportUrl}">tell the operator`))
})

test('the not-found page links to the sitemap, the docs, the developer page and llms.txt', () => {
  const page = String(notFoundPage({ path: '/nowhere', operator: OPERATOR }))
  assert.match(page, /<code>\/nowhere<\/code>/)
  for (const way of ['/', '/docs', '/developers', '/llms.txt', '/docs/errors', '/sitemap.xml']) {
    assert.ok(page.includes(`href="${way}"`), way)
  }

  const text = notFoundText({ path: '/nowhere', baseUrl: 'https://gatehouse.example' })
  assert.match(text, /Nothing at \/nowhere\./)
  assert.match(text, /^https:\/\/gatehouse\.example\/ /m)
  for (const way of ['docs', 'developers', 'llms.txt', 'docs/errors', 'sitemap.xml']) {
    assert.ok(text.includes(`\nhttps://gatehouse.example/${way} `), way)
  }
})
