export interface Framework {
  /** The port of its development server, for the callback URL. */
  readonly port: number
  /** Packages besides the SDK that its recipe imports and a new project does not have. */
  readonly packages?: string
  readonly start: string
  /** The file for secrets that it loads into process.env, in development and in production. */
  readonly envFile?: string
  /** Its files run in Node as they are, so package.json decides between .js and .mjs. */
  readonly runsInNode?: true
  /** Its recipe is in service/content/recipes/languages. */
  readonly language?: true
  /** What the files alone do not do. */
  readonly note?: string
}

const NODE = { port: 3_000, start: 'node server.js', runsInNode: true } as const

/** The frameworks of init --framework, named as their folders in examples/recipes. */
export const FRAMEWORKS = {
  next: { port: 3_000, start: 'npm run dev', envFile: '.env.local' },
  express: { ...NODE, packages: 'express' },
  hono: { ...NODE, packages: 'hono @hono/node-server' },
  fastify: { ...NODE, packages: 'fastify' },
  sveltekit: { port: 5_173, start: 'npm run dev' },
  'react-router': {
    port: 5_173,
    start: 'npm run dev',
    note: "Add to app/routes.ts: route('notes', 'routes/notes.tsx'), and for each of login, auth/callback, logout and auth/session: route(path, 'routes/auth.ts', { id: path })",
  },
  node: NODE,
} as const satisfies Readonly<Record<string, Framework>>

export type FrameworkName = keyof typeof FRAMEWORKS

export const FRAMEWORK_NAMES = Object.keys(FRAMEWORKS) as FrameworkName[]

export const isFramework = (name: unknown): name is FrameworkName => FRAMEWORK_NAMES.some((each) => each === name)

export const callbackOf = (name: FrameworkName): string => `http://localhost:${FRAMEWORKS[name].port}/auth/callback`
