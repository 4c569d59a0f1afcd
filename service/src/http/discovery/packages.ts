import { readInstalled } from '../../folders.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { commandBlock } from '../pages/elements.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { page, wantsPage } from '../responses.ts'
import { notFound } from './not-found.ts'
import { memoize, type Published, publish } from './publish.ts'

const MINUTES_5 = 300
const YEAR = 365 * 24 * 3_600

/**
 * Our own packages, so that `npm install {base_url}/packages/sdk.tgz` needs no third party. A path with a version never
 * changes its content and can be pinned in a lock file; the one without is the newest version.
 */
export function packageRoutes(app: App, deps: HttpDependencies): void {
  const { baseUrl } = deps.ctx
  const packages = memoize(readPackages)

  app.get('/packages', async (c) => {
    c.set('route', '/packages')
    c.header('Access-Control-Allow-Origin', '*')
    c.header('Vary', 'Accept')
    const listed = (await packages()).map(({ entry }) => view(baseUrl, entry))
    return wantsPage(c)
      ? page(c, packagesPage(deps.operator, listed))
      : c.json({ packages: listed })
  })

  app.get('/packages/:file', async (c) => {
    c.set('route', '/packages/:file')
    const requested = c.req.param('file')
    const found = (await packages()).find(({ entry }) =>
      [entry.file, `${entry.name}.tgz`].includes(requested),
    )
    if (found === undefined) {
      return notFound(deps, c)
    }
    return publish(c, found.content, requested === found.entry.file ? YEAR : MINUTES_5)
  })
}

/** Empty if nothing was packed: an instance that was started without `npm start` or its image's packages. */
async function readPackages(): Promise<
  { readonly entry: PackageIndexEntry; readonly content: Published }[]
> {
  let index: PackageIndex
  try {
    index = JSON.parse(readInstalled('packages', 'index.json').toString()) as PackageIndex
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return []
    }
    throw error
  }
  return index.packages.map((entry) => {
    const body = readInstalled('packages', entry.file)
    return {
      entry,
      content: { body, contentType: 'application/gzip', etag: `"${entry.integrity}"` },
    }
  })
}

const view = (
  baseUrl: string,
  { name, package: packageName, version, file, integrity }: PackageIndexEntry,
) => ({
  name: packageName,
  version,
  integrity,
  url: `${baseUrl}/packages/${file}`,
  latest_url: `${baseUrl}/packages/${name}.tgz`,
})

const packagesPage = (operator: Operator, packages: readonly ReturnType<typeof view>[]): Html =>
  layout({
    kind: 'reading',
    operator,
    title: 'Packages',
    body: html`
      <h1>Packages</h1>
      <p class="lead">This service has its own packages, so an app needs no other registry. An address with a version never changes.</p>
      ${packages.length === 0 && html`<p class="none">None yet: <code>npm run packages</code> builds them.</p>`}
      ${packages.map(
        ({ name, version, integrity, url, latest_url }) => html`<h2>${name} ${version}</h2>
      ${commandBlock(`Install ${name}`, `npm install ${latest_url}`)}
      <p><a href="${new URL(url).pathname}">${url}</a></p>
      <p class="small-print">Integrity: <code>${integrity}</code></p>`,
      )}
      <p><a href="/docs/sdk">How to use the SDK</a></p>
    `,
  })

/** What `scripts/packages.ts` packed, as service/packages/index.json. */
export interface PackageIndex {
  /** A hash of the sources, to pack again only after a change. */
  readonly sources: string
  readonly packages: readonly PackageIndexEntry[]
}

export interface PackageIndexEntry {
  /** `sdk` or `local`, as in its URL. */
  readonly name: string
  /** The name that an import uses. */
  readonly package: string
  readonly version: string
  readonly file: string
  /** Subresource integrity, as npm prints and checks it. */
  readonly integrity: string
}
