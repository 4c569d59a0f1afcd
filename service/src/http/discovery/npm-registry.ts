import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { REGISTRY_PATH } from '../pages/package-commands.ts'
import { type PackageIndexEntry, type PackedPackage, readPackages } from './package-index.ts'
import { memoize, type Published, publish, published } from './publish.ts'

/** What installers ask for: a packument without the fields that only people read. */
const ABBREVIATED = 'application/vnd.npm.install-v1+json'
const FULL = 'application/json'

/**
 * The time of every file in a tarball of npm. Yarn and pnpm leave out what was published less than a day ago, to protect from
 * stolen accounts at a registry. Here nothing is published: the packages are a part of the service that signs the users in.
 */
const PACKED_AT = '1985-10-26T08:15:00.000Z'

/** The fields of an abbreviated packument that one of our packages has or could have. */
const INSTALLATION_FIELDS = [
  'name',
  'version',
  'dist',
  'bin',
  'engines',
  'dependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
]

/**
 * A build between two releases has other packages with the same version. Installers keep a tarball by its integrity, so
 * asking again costs them nothing, and no cache between mixes the metadata of one build with the tarball of another.
 */
const ASK_AGAIN = 0

/**
 * A read-only npm registry of our own packages, because npm 12 doesn't install a tarball by its URL. It answers what npm, pnpm,
 * Yarn and Bun ask about a scope; every other package comes from the registry that the developer uses.
 * https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md
 */
export function npmRegistryRoutes(app: App, { ctx }: HttpDependencies): void {
  const answers = memoize(async () =>
    answersOf(`${ctx.baseUrl}${REGISTRY_PATH}`, await readPackages(ctx.baseUrl)),
  )

  app.all(`${REGISTRY_PATH}*`, async (c) => {
    c.set('route', `${REGISTRY_PATH}*`)
    c.header('Access-Control-Allow-Origin', '*')
    c.header('Vary', 'Accept')

    const answer = isRead(c) ? (await answers()).get(requestedPath(c)) : undefined
    if (answer === undefined) {
      return nothingHere(c, ctx.baseUrl)
    }

    const wantsAbbreviated = c.req.header('accept')?.includes(ABBREVIATED) === true
    const content = wantsAbbreviated ? (answer.abbreviated ?? answer.full) : answer.full
    return publish(c, content, ASK_AGAIN)
  })
}

const isRead = (c: Call): boolean => ['GET', 'HEAD'].includes(c.req.method)

/** Clients write `@scope/name` as two segments or as `@scope%2fname`. */
function requestedPath(c: Call): string {
  const path = c.req.path.slice(REGISTRY_PATH.length)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** npm prints a string in `error` after the status. An audit or a publication ends here, too. */
function nothingHere(c: Call, baseUrl: string): Response {
  c.header('Cache-Control', 'no-store')
  const error = `Not found. ${baseUrl}/packages lists what is here.`
  return c.json({ error }, 404)
}

interface Answer {
  readonly full: Published
  readonly abbreviated?: Published
}

/** The answer for each path below the registry's URL. */
function answersOf(
  registry: string,
  packages: readonly PackedPackage[],
): ReadonlyMap<string, Answer> {
  const answers = new Map<string, Answer>()
  answers.set('-/ping', { full: json({}) })
  answers.set('', { full: json({ packages: packages.map(({ entry }) => entry.package) }) })

  for (const { entry, content } of packages) {
    const { package: name, version, file } = entry
    const tags = { latest: version }
    const manifest = manifestOf(registry, entry)
    const needed = INSTALLATION_FIELDS.filter((field) => field in manifest)
    const short = Object.fromEntries(needed.map((field) => [field, manifest[field]]))
    const time = { created: PACKED_AT, modified: PACKED_AT, [version]: PACKED_AT }
    const full = { _id: name, name, 'dist-tags': tags, time, versions: { [version]: manifest } }
    const abbreviated = { name, 'dist-tags': tags, time, versions: { [version]: short } }

    answers.set(name, { full: json(full), abbreviated: json(abbreviated, ABBREVIATED) })
    answers.set(`${name}/${version}`, { full: json(manifest) })
    answers.set(`${name}/latest`, { full: json(manifest) })
    answers.set(`${name}/-/${file}`, { full: content })
    answers.set(`-/package/${name}/dist-tags`, { full: json(tags) })
  }
  return answers
}

function manifestOf(registry: string, entry: PackageIndexEntry): Record<string, unknown> {
  const { package: name, version, file, integrity, shasum } = entry
  return {
    ...entry.manifest,
    _id: `${name}@${version}`,
    dist: { tarball: `${registry}${name}/-/${file}`, integrity, shasum },
  }
}

const json = (value: object, contentType = FULL): Published =>
  published(JSON.stringify(value), contentType)
