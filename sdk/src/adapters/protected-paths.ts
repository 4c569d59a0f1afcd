/** `protect`: the paths that need a signed-in user, with everything below them. */
export class ProtectedPaths {
  readonly #entries: readonly string[]
  readonly #prefixes: readonly string[]

  /** Throws for a pattern, which would match no path and leave its pages open. */
  constructor(entries: readonly string[]) {
    this.#entries = entries
    this.#prefixes = entries.map(prefixOf)
  }

  includes(path: string): boolean {
    return spellingsOf(path).some((spelling) =>
      this.#prefixes.some((prefix) => isBelow(spelling, prefix)),
    )
  }

  /** Throws if no path at or below `mount` is among these: the developer wrote the paths as the router sees them. */
  checkMount(mount: string): void {
    const place = plainOf(mount).replace(/\/$/, '')
    const canMatch = this.#prefixes.some(
      (prefix) => isBelow(prefix, place) || isBelow(place, prefix),
    )
    if (this.#prefixes.length === 0 || canMatch) {
      return
    }

    throw new TypeError(
      `protect has "${this.#entries[0]}", but this router is mounted at "${place}": no request that it receives has such a path, so its pages would be open. Write whole paths, such as "${place}${this.#prefixes[0]}", or install gatehouse() for the whole app.`,
    )
  }
}

/**
 * Path and query of an absolute URL, as they are. `new URL` would resolve dot segments, but Express, Fastify and h3 choose a
 * route by the request target as it was sent: `/notes/../x` is below `/notes` for them.
 */
export function targetOf(url: string): string {
  const target = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#\\]*/i, '')
  return target.startsWith('/') ? target : `/${target}`
}

const PATTERN = /[*:()[\]?#^]/

/** An entry of `protect` as the paths of requests are compared with it. Throws if it would match none of them. */
function prefixOf(entry: string): string {
  if (entry.startsWith('/') && !PATTERN.test(entry)) {
    return resolve(plainOf(entry)).toLowerCase().replace(/\/$/, '')
  }

  // The part before the pattern, without the groups of routers such as `/(app)`, is probably what was meant.
  const withoutGroups = entry.replace(/^\^/, '').replaceAll(/\/\([\w-]+\)/g, '')
  const [literal = ''] = targetOf(withoutGroups).split(PATTERN)
  const prefix = literal.replace(/[/.$]+$/, '') || '/'
  throw new TypeError(
    `protect has "${entry}", which matches no path. It takes paths that start with "/", each with everything below it, and no patterns. Use "${prefix}".`,
  )
}

/** Fastify can take a semicolon for the start of the query. */
const isBelow = (path: string, prefix: string): boolean =>
  path === prefix || path.startsWith(`${prefix}/`) || path.startsWith(`${prefix};`)

const DECODED_AT_MOST = 3

/**
 * The path as a framework may read it before it chooses a route: decoded, in lower case (Express ignores the case), without
 * doubled slashes and dot segments. A stranger must not pass by spelling a protected path in another way.
 */
function spellingsOf(path: string): string[] {
  return [...decodings(path), withoutAuthority(path)].flatMap((spelling) => {
    const plain = plainOf(spelling)
    // With the text after `#` and without: a raw request target may have one, and frameworks differ.
    return [plain, resolve(plain), resolve(plain.replaceAll(/[?#]/g, encodeURIComponent))]
  })
}

/** The path as it is, decoded once, decoded twice, until decoding changes nothing. */
function decodings(path: string): string[] {
  const found = [path]
  let last = path
  while (found.length <= DECODED_AT_MOST) {
    const next = decode(last)
    if (next === last) {
      break
    }

    found.push(next)
    last = next
  }
  return found
}

/** For `new URL`, the first segment of `//x/notes` is a host. */
const withoutAuthority = (path: string): string => path.replace(/^[/\\]{2,}[^/\\]*/, '/')

const plainOf = (path: string): string => path.replace(/[/\\]+/g, '/').toLowerCase()

/** Without dot segments, decoded. */
const resolve = (path: string): string => decode(new URL(path, 'https://app.invalid').pathname)

/** Characters that are not valid UTF-8 stay as they are. */
const decode = (path: string): string =>
  path.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  })
