import { overHttp, type Transport } from '../transport/http-transport.ts'
import { CookieJar } from './cookie-jar.ts'
import { type Button, type Form, readControls } from './html-controls.ts'

const REDIRECTS_MAX = 20
const FORM = 'application/x-www-form-urlencoded'

/** What the last answer said. After a redirect that leads away from the real origins, it is that redirect. */
export interface Page {
  readonly status: number
  readonly url: URL
  readonly headers: Headers
  readonly text: string
}

export interface BareRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams
}

interface Navigation {
  readonly method: string
  readonly url: URL
  readonly body: URLSearchParams | null
  /** The page it started from; null when a person typed the address. */
  readonly from: Page | null
}

/**
 * A person's browser, without the pixels: it keeps cookies, follows redirects, fills in forms and presses their
 * buttons, and sends the headers by which a server tells its own pages from a stranger's.
 *
 *     const browser = new Browser({ origins: [service.origin, google.origin] })
 *     await browser.open(loginUrl)                  // redirects to the chooser, and reads it
 *     await browser.press('Ada Lovelace')           // back at the service, on its consent page
 *     const landed = await browser.press('Continue')
 *     landed.searchParams.get('access_token')       // the app's callback: an address, never fetched
 *
 * It fetches only from `origins`. Any other address a journey leads to is where the journey ends, and is returned.
 */
export class Browser {
  readonly cookies: CookieJar
  readonly #origins: ReadonlySet<string>
  readonly #transport: Transport
  readonly #headers: Readonly<Record<string, string>>
  #page: Page | null = null

  constructor(options: {
    readonly origins: Iterable<string>
    /** Sent with every request, for tests about user agents or addresses. */
    readonly headers?: Readonly<Record<string, string>>
    /** Whose clock expires the cookies. */
    readonly now?: () => number
    /** How requests travel: over sockets, or straight into an app. */
    readonly transport?: Transport
  }) {
    this.#origins = new Set(options.origins)
    this.#headers = options.headers ?? {}
    this.#transport = options.transport ?? overHttp
    this.cookies = new CookieJar(options.now)
  }

  get page(): Page {
    if (this.#page === null) throw new Error('No page is open yet.')
    return this.#page
  }

  /** Types an address into the address bar. Returns where that led. */
  open(address: string | URL): Promise<URL> {
    return this.#navigate({ method: 'GET', url: new URL(address), body: null, from: null })
  }

  /** Follows the link with this text. Returns where that led. */
  async follow(text: string): Promise<URL> {
    const { page } = this
    const link = oneWith(text, readControls(page.text).links, 'link', page)
    return this.#navigate({ method: 'GET', url: new URL(link.href, page.url), body: null, from: page })
  }

  /**
   * Fills in `fields` and presses the button with this text: its whole text, or a part that only one button has.
   * Returns where that led.
   */
  async press(text: string, fields: Readonly<Record<string, string>> = {}): Promise<URL> {
    const { page } = this
    const buttons = readControls(page.text).forms.flatMap((form) => form.buttons.map((button) => ({ ...button, form })))
    const { form, ...button } = oneWith(text, buttons, 'button', page)
    const data = fillIn(form, button, fields)
    const url = new URL(button.action ?? form.action, page.url)
    if (form.method === 'POST') return this.#navigate({ method: 'POST', url, body: data, from: page })
    url.search = data.toString()
    return this.#navigate({ method: 'GET', url, body: null, from: page })
  }

  /** One bare request with this browser's cookies: nothing is followed, and the open page stays open. */
  async request(address: string | URL, { method = 'GET', headers = {}, body }: BareRequest = {}): Promise<Response> {
    const url = new URL(address, this.#page?.url)
    const cookie = this.cookies.header({ url, method, sameSite: true })
    const response = await this.#transport(url, {
      method,
      headers: {
        ...this.#headers,
        ...(cookie === null ? {} : { Cookie: cookie }),
        ...(body instanceof URLSearchParams ? { 'Content-Type': FORM } : {}),
        ...headers,
      },
      body: body?.toString() ?? null,
    })
    this.cookies.keep(url, response.headers.getSetCookie())
    return response
  }

  async #navigate(start: Navigation): Promise<URL> {
    const visited = [start.url]
    for (let step = start; ; ) {
      if (!this.#origins.has(step.url.origin)) return step.url
      const page = await this.#load(step, visited)
      this.#page = page
      const location = page.headers.get('location')
      if (page.status < 300 || page.status > 399 || location === null) return page.url

      const url = new URL(location, page.url)
      visited.push(url)
      if (visited.length > REDIRECTS_MAX + 1) throw new Error(`Too many redirects: ${visited.join(' → ')}`)
      const again = page.status === 307 || page.status === 308
      step = again ? { ...step, url } : { method: 'GET', url, body: null, from: step.from }
    }
  }

  async #load({ method, url, body, from }: Navigation, visited: readonly URL[]): Promise<Page> {
    const cookie = this.cookies.header({ url, method, sameSite: from === null || isSameSite(from.url, url) })
    const response = await this.#transport(url, {
      method,
      headers: {
        Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
        'User-Agent':
          'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
        'Sec-Fetch-Dest': 'document',
        'Sec-Fetch-Mode': 'navigate',
        'Sec-Fetch-Site': from === null ? 'none' : relation(from.url, visited),
        'Sec-Fetch-User': '?1',
        ...(method === 'GET' ? {} : { Origin: originHeader(from, visited) }),
        ...(body === null ? {} : { 'Content-Type': FORM }),
        ...(cookie === null ? {} : { Cookie: cookie }),
        ...this.#headers,
      },
      body: body?.toString() ?? null,
    })
    this.cookies.keep(url, response.headers.getSetCookie())
    return { status: response.status, url, headers: response.headers, text: await response.text() }
  }
}

function oneWith<T extends { readonly text: string }>(text: string, all: readonly T[], what: string, page: Page): T {
  const exact = all.filter((one) => one.text === text)
  const found = exact.length > 0 ? exact : all.filter((one) => one.text.includes(text))
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  const listed = all.map((one) => `“${one.text}”`).join(', ') || 'nothing'
  const problem = first === undefined ? 'has no' : 'has more than one'
  throw new Error(`${page.url} (${page.status}) ${problem} ${what} “${text}”. It has: ${listed}.`)
}

function fillIn(form: Form, button: Button, fields: Readonly<Record<string, string>>): URLSearchParams {
  const data = new URLSearchParams(form.fields.map(([name, value]) => [name, value]))
  for (const [name, value] of Object.entries(fields)) {
    if (!form.names.has(name))
      throw new Error(`The form has no field “${name}”. It has: ${[...form.names].join(', ')}.`)
    data.set(name, value)
  }
  if (button.field !== null) data.append(...button.field)
  return data
}

/** Fetch, "append a request Origin header": a page that sends no referrer does not name itself here either. */
function originHeader(from: Page | null, visited: readonly URL[]): string {
  if (from === null || from.headers.get('referrer-policy') === 'no-referrer') return 'null'
  return visited.slice(0, -1).every(({ origin }) => origin === from.url.origin) ? from.url.origin : 'null'
}

/** Fetch Metadata, section 2.3: the furthest that any address on the way was from the page it started on. */
function relation(from: URL, visited: readonly URL[]): 'same-origin' | 'same-site' | 'cross-site' {
  if (visited.every(({ origin }) => origin === from.origin)) return 'same-origin'
  return visited.every((url) => isSameSite(from, url)) ? 'same-site' : 'cross-site'
}

/** A site is a scheme and a registrable domain, whatever the port; two labels are enough for the names in tests. */
const isSameSite = (a: URL, b: URL): boolean =>
  a.protocol === b.protocol && (a.hostname === b.hostname || siteOf(a.hostname) === siteOf(b.hostname))

const siteOf = (hostname: string): string =>
  /[a-z]$/.test(hostname) ? hostname.split('.').slice(-2).join('.') : hostname
