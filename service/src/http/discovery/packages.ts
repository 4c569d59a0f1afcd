import type { App, HttpDependencies } from '../dependencies.ts'
import { commandBlock } from '../pages/elements.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { registrySetting } from '../pages/package-commands.ts'
import { page, wantsPage } from '../responses.ts'
import { notFound } from './not-found.ts'
import { type PackageIndexEntry, readPackages } from './package-index.ts'
import { memoize, publish } from './publish.ts'

const MINUTES_5 = 300
const YEAR = 365 * 24 * 3_600

/**
 * Lists our own packages, and keeps the addresses of their tarballs that earlier versions printed. Instead of these, installers
 * ask the npm registry (npm-registry.ts).
 */
export function packageRoutes(app: App, deps: HttpDependencies): void {
  const { baseUrl } = deps.ctx
  const packages = memoize(() => readPackages(baseUrl))

  app.get('/packages', async (c) => {
    c.set('route', '/packages')
    c.header('Access-Control-Allow-Origin', '*')
    c.header('Vary', 'Accept')
    const listed = (await packages()).map(({ entry }) => view(baseUrl, entry))
    return wantsPage(c)
      ? page(c, packagesPage(deps.operator, baseUrl, listed))
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

const packagesPage = (
  operator: Operator,
  baseUrl: string,
  packages: readonly ReturnType<typeof view>[],
): Html =>
  layout({
    kind: 'reading',
    operator,
    title: 'Packages',
    body: html`
      <h1>Packages</h1>
      <p class="lead">This service is an npm registry for its own packages. All others come from the registry that you use.</p>
      ${packages.length === 0 && html`<p class="none">None yet: <code>npm run packages</code> builds them.</p>`}
      ${packages.length > 0 && commandBlock('Add the registry to the app', `echo '${registrySetting(baseUrl)}' >> .npmrc`)}
      ${packages.map(
        ({ name, version, integrity, url }) => html`<h2>${name} ${version}</h2>
      ${commandBlock(`Install ${name}`, `npm install ${name}`)}
      <p><a href="${new URL(url).pathname}">${url}</a></p>
      <p class="small-print">Integrity: <code>${integrity}</code></p>`,
      )}
      <p><a href="/docs/sdk">How to use the SDK</a></p>
    `,
  })
