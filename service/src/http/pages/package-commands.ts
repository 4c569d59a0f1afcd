// The commands that pages print. The documents of service/content have the same ones, with {base_url}.

export const REGISTRY_PATH = '/packages/npm/'

/** The line of .npmrc, which `init` writes. After `--` it is an option of npm and npx. */
export const registrySetting = (baseUrl: string): string =>
  `@gatehouse-auth:registry=${baseUrl}${REGISTRY_PATH}`

/** Runs the local tools in any folder, also in one without that line. */
export const localTools = (baseUrl: string): string =>
  `npx --${registrySetting(baseUrl)} @gatehouse-auth/local`

/** Installs the SDK, with other packages, in a folder with that line. */
export const installSdk = (others = ''): string =>
  `npm install @gatehouse-auth/sdk ${others}`.trimEnd()
