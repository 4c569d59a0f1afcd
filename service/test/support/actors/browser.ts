import { overHttp, type Transport } from '../transport/http-transport.ts'
import { CookieJar } from './cookie-jar.ts'
import { type Button, type Form, readControls } from './html-controls.ts'

const REDIRECTS_MAX = 20
const FORM = 'application/x-www-form-urlencoded'

/** The last response. After a redirect to an origin outside `origins`, it is that redirect. */
export interface Page {
  readonly status: number
  readonly url: URL
  readonly headers: Headers
  /** The markup, without `<wbr>`: it would part the email addresses that tests look for. */
  readonly text: string
}

interface BareRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams
}

interface Navigation {
  readonly method: string
  readonly url: URL
  readonly body: URLSearchParams | null
  /** The page that started the navigation; null for a URL typed into the address bar. */
  readonly from: Page | null
}

/**
 * A browser without rendering: it keeps cookies, follows redirects, submits forms, and sends the `Origin` and
 * `Sec-Fetch-*` headers by which a server recognizes cross-site requests.
 *
 *     const browser = new Browser({ origins: [service.origin, google.origin] })
 *     await browser.open(loginUrl)                  // follows redirects to the account chooser
 *     await browser.press('Ada Lovelace')           // back at the service, on its consent page
 *     const callbackUrl = await browser.press('Continue')
 *     callbackUrl.searchParams.get('access_token')  // the app's callback URL, which is never fetched
 *
 * It fetches only from `origins`. A redirect to any other origin ends the navigation, and that URL is returned.
 */
export class Browser {
  readonly cookies: CookieJar
  readonly #origins: ReadonlySet<string>
  readonly #transport: Transport
  readonly #headers: Readonly<Record<string, string>>
  #page: Page | null = null

  constructor(options: {
    readonly origins: Iterable<string>
    /** Sent with every request, for tests about user agents or client addresses. */
    readonly headers?: Readonly<Record<string, string>>
    /** The clock that expires cookies. */
    readonly now?: () => number
    readonly transport?: Transport
  }) {
    this.#origins = new Set(options.origins)
    this.#headers = options.headers ?? {}
    this.#transport = options.transport ?? overHttp
    this.cookies = new CookieJar(options.now)
  }

  get page(): Page {
    if (this.#page === null) {
      throw new Error('No page is open yet.')
    }
    return this.#page
  }

  /** Types a URL into the address bar. Returns the final URL. */
  open(address: string | URL): Promise<URL> {
    return this.#navigate({ method: 'GET', url: new URL(address), body: null, from: null })
  }

  /** Follows the link with this text. Returns the final URL. */
  async follow(text: string): Promise<URL> {
    const { page } = this
    const link = oneWith(text, readControls(page.text).links, 'link', page)
    return this.#navigate({
      method: 'GET',
      url: new URL(link.href, page.url),
      body: null,
      from: page,
    })
  }

  /**
   * Fills in `fields` and presses the button with this text: its whole text, or a part that only one button has.
   * Returns the final URL.
   */
  async press(text: string, fields: Readonly<Record<string, string>> = {}): Promise<URL> {
    const { page } = this
    const buttons = readControls(page.text).forms.flatMap((form) =>
      form.buttons.map((button) => ({ ...button, form })),
    )
    const { form, ...button } = oneWith(text, buttons, 'button', page)
    const data = fillIn(form, button, fields)
    const url = new URL(button.action ?? form.action, page.url)
    if (form.method === 'POST') {
      return this.#navigate({ method: 'POST', url, body: data, from: page })
    }
    url.search = data.toString()
    return this.#navigate({ method: 'GET', url, body: null, from: page })
  }

  /** One request with this browser's cookies. Follows no redirect and leaves the open page unchanged. */
  async request(
    address: string | URL,
    { method = 'GET', headers = {}, body }: BareRequest = {},
  ): Promise<Response> {
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
      if (!this.#origins.has(step.url.origin)) {
        return step.url
      }
      const page = await this.#load(step, visited)
      this.#page = page
      const isRedirect = page.status >= 300 && page.status <= 399
      // A page that opens an app leaves the browser on it.
      const location = isRedirect ? page.headers.get('location') : refreshOf(page)
      if (location === null) {
        return page.url
      }

      const url = new URL(location, page.url)
      visited.push(url)
      if (visited.length > REDIRECTS_MAX + 1) {
        throw new Error(`Too many redirects: ${visited.join(' → ')}`)
      }
      const keepsMethod = page.status === 307 || page.status === 308
      step = keepsMethod ? { ...step, url } : { method: 'GET', url, body: null, from: step.from }
    }
  }

  async #load({ method, url, body, from }: Navigation, visited: readonly URL[]): Promise<Page> {
    const cookie = this.cookies.header({
      url,
      method,
      sameSite: from === null || isSameSite(from, url),
    })
    const response = await this.#transport(url, {
      method,
      headers: {
        Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
        'User-Agent':
          'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
        'Sec-Fetch-Dest': 'document',
        'Sec-Fetch-Mode': 'navigate',
        'Sec-Fetch-Site': from === null ? 'none' : relation(from, visited),
        'Sec-Fetch-User': '?1',
        ...(method === 'GET' ? {} : { Origin: originHeader(from, visited) }),
        ...(body === null ? {} : { 'Content-Type': FORM }),
        ...(cookie === null ? {} : { Cookie: cookie }),
        ...this.#headers,
      },
      body: body?.toString() ?? null,
    })
    this.cookies.keep(url, response.headers.getSetCookie())
    const text = (await response.text()).replaceAll('<wbr>', '')
    return { status: response.status, url, headers: response.headers, text }
  }
}

/** The response or, of a refused POST of a page, the page of its form, which shows the error. */
export async function shownError(
  browser: Browser,
  response: Response,
  base: string | URL = browser.page.url,
): Promise<Response> {
  const location = response.headers.get('location')
  // The redirects of an accepted decision are absolute.
  if (response.status !== 303 || !location?.startsWith('/')) {
    return response
  }
  return browser.request(new URL(location, base), { headers: { Accept: 'text/html' } })
}

/** The URL of a `Refresh: 0; url=…` header. */
const refreshOf = ({ headers }: Page): string | null =>
  /^0; url=(.+)$/.exec(headers.get('refresh') ?? '')?.[1] ?? null

function oneWith<T extends { readonly text: string }>(
  text: string,
  all: readonly T[],
  what: string,
  page: Page,
): T {
  const exact = all.filter((one) => one.text === text)
  const found = exact.length > 0 ? exact : all.filter((one) => one.text.includes(text))
  const [first] = found
  if (first !== undefined && found.length === 1) {
    return first
  }
  const listed = all.map((one) => `“${one.text}”`).join(', ') || 'nothing'
  const problem = first === undefined ? 'has no' : 'has more than one'
  throw new Error(`${page.url} (${page.status}) ${problem} ${what} “${text}”. It has: ${listed}.`)
}

function fillIn(
  form: Form,
  button: Button,
  fields: Readonly<Record<string, string>>,
): URLSearchParams {
  const data = new URLSearchParams(
    form.fields.map(([name, value]): [string, string] => [name, value]),
  )
  for (const [name, value] of Object.entries(fields)) {
    if (!form.names.has(name)) {
      throw new Error(`The form has no field “${name}”. It has: ${[...form.names].join(', ')}.`)
    }
    data.set(name, value)
  }
  if (button.field !== null) {
    data.append(...button.field)
  }
  return data
}

/** HTML, "sandboxed origin": such a page has an origin of its own, to which every URL is cross-site. */
const isSandboxed = ({ headers }: Page): boolean =>
  /(^|;)\s*sandbox\b(?![^;]*allow-same-origin)/.test(headers.get('content-security-policy') ?? '')

/** Fetch, "append a request Origin header": with `Referrer-Policy: no-referrer` the Origin is `null` too. */
function originHeader(from: Page | null, visited: readonly URL[]): string {
  if (from === null || isSandboxed(from) || from.headers.get('referrer-policy') === 'no-referrer') {
    return 'null'
  }
  return visited.slice(0, -1).every(({ origin }) => origin === from.url.origin)
    ? from.url.origin
    : 'null'
}

/** Fetch Metadata, section 2.3: the most distant relation of any URL in the redirect chain to the starting page. */
function relation(from: Page, visited: readonly URL[]): 'same-origin' | 'same-site' | 'cross-site' {
  if (!isSandboxed(from) && visited.every(({ origin }) => origin === from.url.origin)) {
    return 'same-origin'
  }
  return visited.every((url) => isSameSite(from, url)) ? 'same-site' : 'cross-site'
}

/** A site is a scheme and a registrable domain, regardless of port; two labels are enough for the names in tests. */
const isSameSite = (from: Page, { protocol, hostname }: URL): boolean =>
  !isSandboxed(from) &&
  from.url.protocol === protocol &&
  (from.url.hostname === hostname || siteOf(from.url.hostname) === siteOf(hostname))

const siteOf = (hostname: string): string =>
  /[a-z]$/.test(hostname) ? hostname.split('.').slice(-2).join('.') : hostname
