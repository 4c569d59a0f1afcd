export interface Framework {
  readonly label: string
  /** A file of the project, and what it contains, if the project uses this framework. */
  readonly sign: readonly [file: RegExp, text: RegExp]
  /** The port of its development server, for the callback URL. In a recipe of another language, that of the recipe. */
  readonly port: number
  /** The port of an app that exists and names none, if that is another one. */
  readonly usualPort?: number
  /** Packages besides the SDK that its recipe imports and a new project does not have. */
  readonly packages?: string
  /** Starts the app of the recipe. `{port}` is the port. */
  readonly start: string
  /**
   * Starts an app that exists, if that is another command. `{entry}` is the file that creates it, `{target}` the same for uvicorn,
   * `{folder}` its folder if that is a program of Go.
   */
  readonly runs?: string
  /** The file for secrets that it loads into process.env, in development and in production. */
  readonly envFile?: string
  /** Its files run in Node as they are, so package.json decides between .js and .mjs. */
  readonly runsInNode?: true
  /** Its recipe has no SDK and nothing to install. Its file belongs beside the one that creates the app, or into the root. */
  readonly language?: 'beside' | 'root'
  /** Its development server prints 127.0.0.1 as its address, so the callback there is registered too. */
  readonly prints127?: true
  /** The folder of its recipe, if that has another name. */
  readonly recipe?: string
  /** Files of the recipe that an app which exists does not need: a server, example pages. */
  readonly example: RegExp
  /** The file that creates the app, and the statement that does. Its group `app` is the variable. */
  readonly creates?: { readonly file: RegExp; readonly statement: RegExp }
  /** The lines to add to an app that exists. Of each list, the first edit whose place is there. */
  readonly edits?: readonly (readonly Edit[])[]
  /** The same as a sentence, for an app in which the place was not found. `{entry}` is the file that creates the app. */
  readonly note?: string
  /** The user of a request, as an expression. */
  readonly user: string
  /** What it is, if not an object of JavaScript. */
  readonly fields?: string
  /** How a page requires a signed-in user. */
  readonly guard: string
  /** How users sign in and out, if not at /login and /logout of the app. */
  readonly buttons?: readonly [signIn: string, signOut: string]
}

/**
 * Lines to insert after a statement, below a line, before or instead of one, or a call around the second argument of a call. `{app}` is
 * the variable of the app, `{dot}` the dot of an import inside a package of Python, `{src}` the way to src/; other names are groups
 * of `of`, which is no place inside a comment or a string.
 */
export interface Edit {
  /** Default: the file that creates the app. */
  readonly file?: string
  readonly place: 'after' | 'below' | 'before' | 'instead' | 'wrap'
  readonly of: RegExp
  /** `of` is a comment. */
  readonly isComment?: true
  readonly lines: readonly string[]
  /** Only with the example pages of the recipe. */
  readonly example?: true
  /** Only if package.json matches. */
  readonly manifest?: RegExp
  /** The file has the lines already. Default: it names Gatehouse. */
  readonly isDone?: RegExp
  /** The same as a sentence, if it is not in the note of the framework. */
  readonly note?: string
}

const JS = /^(?:(?:src|server|app|api|lib)\/)?[\w.-]+\.[cm]?[jt]s$/
const PACKAGE = /^package\.json$/
const PYTHON = /^(?:requirements[\w.-]*\.txt|pyproject\.toml|Pipfile|\w+\.py)$/
const DICT = 'a dict with "id", "email", "name" and "picture", the last two possibly None; or None'
const PROTECT = "a path in protect: ['/account'], with everything below it"
const NODE = {
  port: 3_000,
  start: 'node server.js',
  runsInNode: true,
  example: /^server\.js$/,
  guard: PROTECT,
} as const

const imports = (framework: string): readonly Edit[] => [
  {
    place: 'after',
    of: new RegExp(`\\bfrom\\s*['"]${framework}['"]`),
    lines: [`import { gatehouse, userOf } from '@gatehouse-auth/sdk/${framework}'`],
  },
  {
    place: 'after',
    of: new RegExp(`\\brequire\\(['"]${framework}['"]\\)`),
    lines: [`const { gatehouse, userOf } = require('@gatehouse-auth/sdk/${framework}')`],
  },
]

const noteFor = (framework: string, line: string): string =>
  `In {entry}: import { gatehouse, userOf } from '@gatehouse-auth/sdk/${framework}', and directly after the app is created, before its routes: ${line}`

// Vite's defaults, which a list of one's own replaces, and ours.
const DENY =
  "server: { fs: { deny: ['.env', '.env.*', '*.{crt,pem,key,p12,pfx,cer,der}', '.npmrc', '.yarnrc.yml', '**/.git/**', '.service*'] } }"

/** Vite's development server publishes the files of its root that are not denied, those with a leading dot too. */
function denyService(file: string, key: 'server' | 'vite'): readonly Edit[] {
  const line = key === 'vite' ? `vite: { ${DENY} }` : DENY
  const note = `Vite's development server publishes the keys in .service, unless ${file} denies it: ${line}`
  const rest = String.raw`(?![\s\S]*\b${key}\s*:)`
  const start = String.raw`^export default (?<call>(?:\w+\()?)\{`
  const common = { file, isDone: /\.service/, note }
  return [
    {
      ...common,
      place: 'below',
      of: new RegExp(`${start}[ \\t]*$${rest}`, 'm'),
      lines: [`  ${line},`],
    },
    {
      ...common,
      place: 'instead',
      of: new RegExp(`${start}${rest}(?<options>.*\\S.*)$`, 'm'),
      lines: ['export default {call}{', `  ${line},`, ' {options}'],
    },
  ]
}

/** The last route may have no comma after it. */
const atStartOfRoutes = (route: string): readonly Edit[] => [
  { file: 'app/routes.ts', place: 'below', of: /^export default \[[ \t]*$/m, lines: [route] },
  {
    file: 'app/routes.ts',
    place: 'instead',
    of: /^export default \[(?<routes>.*\S.*)$/m,
    lines: ['export default [', route, '  {routes}'],
  },
]

/** React Router 7 runs middleware only with a flag. */
function withMiddleware(): readonly Edit[] {
  const common = {
    file: 'react-router.config.ts',
    manifest: /"(?:@react-router\/dev|react-router)"\s*:\s*"[\^~=v]?7\b/,
    isDone: /^[^/\n]*\bv8_middleware\s*:\s*true/m,
    note: 'React Router 7 ignores the middleware that guards your pages, unless react-router.config.ts has future: { v8_middleware: true } (React Router 7.9 or newer)',
  }
  const place = 'below'
  const [rest, flag] = [
    String.raw`(?![\s\S]*\b(?:future|v8_middleware)\b)`,
    '{ v8_middleware: true }',
  ]
  const start = String.raw`^export default \{[ \t]*$`
  return [
    { ...common, place, of: new RegExp(start + rest, 'm'), lines: [`  future: ${flag},`] },
    {
      ...common,
      place,
      of: /^ {2}future: \{[ \t]*$(?![\s\S]*\bv8_middleware\b)/m,
      lines: ['  v8_middleware: true,'],
    },
  ]
}

/** A variable or a property of JavaScript that gets this value. A field of a class has no place for a statement after it. */
const assigns = (value: string): RegExp =>
  new RegExp(
    String.raw`^[ \t]*(?:export\s+)?(?:(?:const|let|var)\s+|(?=(?:this|self|exports)\.))(?<app>[\w.#$]+)\s*(?::\s*[\w.]+(?:<.*>)?\s*)?=\s*(?:module\.exports\s*=\s*)?${value}`,
    'm',
  )
const EXPRESS = assigns(String.raw`(?:express|require\(['"]express['"]\))\(`)
const HONO = assigns(String.raw`new (?:Hono|OpenAPIHono)\b`)
/** `new Hono().basePath('/api')` would answer /api/login. */
const WHOLE_HONO = assigns(String.raw`new (?:Hono|OpenAPIHono)\b(?!.*\)\s*\.)`)
const FASTIFY = assigns(String.raw`(?:[Ff]astify|require\(['"]fastify['"]\))(?:<.*>)?\(`)
const FASTAPI = /^[ \t]*(?<app>(?:self\.)?\w+)\s*(?::\s*[\w.]+\s*)?=\s*(?:fastapi\.)?FastAPI\(/m
const FLASK = /^[ \t]*(?<app>(?:self\.)?\w+)\s*(?::\s*[\w.]+\s*)?=\s*(?:flask\.)?Flask\(/m
const CREATE_SERVER = /\bcreateServer\(/

/** The frameworks of init --framework, in the order in which a project is compared with them. */
export const FRAMEWORKS = {
  next: {
    label: 'Next.js',
    sign: [PACKAGE, /"next"\s*:/],
    port: 3_000,
    start: 'npm run dev',
    envFile: '.env.local',
    example: /^app\/notes\//,
    user: 'await auth.user()',
    guard: `${PROTECT}, in auth.ts`,
    note: 'If you have a proxy.ts or middleware.ts: return auth.proxy(request) of auth.ts from it.',
  },
  sveltekit: {
    label: 'SvelteKit',
    sign: [PACKAGE, /"@sveltejs\/kit"\s*:/],
    port: 5_173,
    start: 'npm run dev',
    example: /^src\/routes\//,
    edits: [
      [
        {
          file: 'src/app.d.ts',
          place: 'instead',
          of: /^\s*\/\/ interface Locals \{\}$/m,
          isComment: true,
          lines: ['interface Locals {', "\tuser: import('@gatehouse-auth/sdk').User | null", '}'],
        },
      ],
    ],
    user: 'locals.user (in +page.server.ts: load = ({ locals }) => ({ user: locals.user }))',
    guard: `${PROTECT}, in src/hooks.server.ts`,
    note: "If you have a src/hooks.server.ts: export const handle = sequence(gatehouse({ protect: [] }), yours), with sequence of '@sveltejs/kit/hooks' and gatehouse of '@gatehouse-auth/sdk/sveltekit'. In src/app.d.ts, interface Locals needs user: import('@gatehouse-auth/sdk').User | null.",
  },
  'react-router': {
    label: 'React Router',
    sign: [PACKAGE, /"@react-router\/dev"\s*:/],
    port: 5_173,
    start: 'npm run dev',
    example: /^app\/routes\/notes\.tsx$/,
    edits: [
      [
        {
          file: 'app/routes.ts',
          place: 'after',
          of: /\bfrom\s*['"]@react-router\/dev\/routes['"]/,
          lines: ["import { route as authRoute } from '@react-router/dev/routes'"],
        },
      ],
      atStartOfRoutes(
        "  ...['login', 'auth/callback', 'logout', 'auth/session'].map((path) => authRoute(path, 'routes/auth.ts', { id: path })),",
      ),
      denyService('vite.config.ts', 'server'),
      withMiddleware(),
      atStartOfRoutes("  authRoute('notes', 'routes/notes.tsx'),").map(
        (edit): Edit => ({ ...edit, example: true }),
      ),
    ],
    user: 'userOf(context) in a loader, in a route with export const middleware = [auth.middleware], or in root.tsx for all',
    guard: `${PROTECT}, in app/auth.server.ts`,
    note: "Add to the routes in app/routes.ts, for each path of 'login', 'auth/callback', 'logout' and 'auth/session': route(path, 'routes/auth.ts', { id: path }); for the example page, if you have it: route('notes', 'routes/notes.tsx')",
  },
  astro: {
    label: 'Astro',
    sign: [PACKAGE, /"astro"\s*:/],
    port: 4_321,
    start: 'npm run dev',
    example: /^src\/pages\//,
    edits: [denyService('astro.config.mjs', 'vite')],
    user: 'Astro.locals.user (in a page with export const prerender = false)',
    guard: `${PROTECT}, in src/middleware.ts`,
    note: "Pages with a user are rendered for each request: npx astro add node, unless the project has an adapter. If you have a src/middleware.ts: export const onRequest = sequence(gatehouse({ protect: [] }), yours), with sequence of 'astro:middleware' and gatehouse of '@gatehouse-auth/sdk/astro'.",
  },
  nuxt: {
    label: 'Nuxt',
    sign: [PACKAGE, /"nuxt"\s*:/],
    port: 3_000,
    start: 'npm run dev',
    example: /^app\/pages\//,
    edits: [denyService('nuxt.config.ts', 'vite')],
    user: "userOf(event) of '@gatehouse-auth/sdk/nuxt' in a server route; in a page: useState('user', () => userOf(useRequestEvent()))",
    guard: `${PROTECT}, in server/middleware/gatehouse.ts`,
    note: 'Link to protected pages with <a> or <NuxtLink external>: the server guards requests. app/app.vue must show pages: <NuxtPage />.',
  },
  fastify: {
    ...NODE,
    label: 'Fastify',
    sign: [PACKAGE, /"fastify"\s*:/],
    packages: 'fastify',
    creates: { file: JS, statement: FASTIFY },
    edits: [
      imports('fastify'),
      [{ place: 'after', of: FASTIFY, lines: ['{app}.register(gatehouse({ protect: [] }))'] }],
    ],
    note: noteFor('fastify', 'app.register(gatehouse({ protect: [] }))'),
    user: 'userOf(request)',
  },
  hono: {
    ...NODE,
    label: 'Hono',
    sign: [PACKAGE, /"hono"\s*:/],
    packages: 'hono @hono/node-server',
    creates: { file: JS, statement: HONO },
    edits: [
      imports('hono'),
      [{ place: 'after', of: WHOLE_HONO, lines: ['{app}.use(gatehouse({ protect: [] }))'] }],
    ],
    note: noteFor('hono', 'app.use(gatehouse({ protect: [] }))'),
    user: 'userOf(c)',
  },
  express: {
    ...NODE,
    label: 'Express',
    sign: [PACKAGE, /"express"\s*:/],
    packages: 'express',
    creates: { file: JS, statement: EXPRESS },
    edits: [
      imports('express'),
      [{ place: 'after', of: EXPRESS, lines: ['{app}.use(gatehouse({ protect: [] }))'] }],
    ],
    note: noteFor('express', 'app.use(gatehouse({ protect: [] }))'),
    user: 'userOf(req)',
  },
  vite: {
    label: 'Vite',
    sign: [PACKAGE, /"vite"\s*:/],
    port: 5_173,
    start: 'npm run dev',
    recipe: 'browser',
    example: /^$/,
    creates: { file: /^(?:src\/)?(?:main|index)\.[jt]sx?$/, statement: /^/ },
    edits: [
      [
        {
          place: 'before',
          of: /^.*$/m,
          lines: ["import '{src}/auth' // Gatehouse: first, because it answers the callback"],
        },
      ],
      denyService('vite.config.ts', 'server'),
    ],
    note: 'Import src/auth.ts first in the file that index.html loads: it answers the callback.',
    user: "await session.user(), with session of './auth'",
    buttons: [
      "a button that calls session.login(); session.login({ returnTo: '/path' }) returns there",
      'a button that calls session.logout()',
    ],
    guard:
      'your own server must check session.accessToken(): what runs in the browser guards nothing',
  },
  django: {
    label: 'Django',
    language: 'root',
    prints127: true,
    sign: [/^manage\.py$/, /django/i],
    port: 3_000,
    usualPort: 8_000,
    start: 'python app.py runserver localhost:{port}',
    runs: 'python manage.py runserver localhost:{port}',
    example: /^app\.py$/,
    creates: { file: /\/settings\.py$/, statement: /^MIDDLEWARE\s*=/m },
    edits: [
      [
        {
          place: 'before',
          of: /(?<=^MIDDLEWARE\s*=\s*\[[ \t]*\r?\n)/m,
          lines: ["'gatehouse.SignIn',"],
        },
      ],
    ],
    note: "Add 'gatehouse.SignIn' to MIDDLEWARE in the settings, first.",
    user: 'current_user(request), of gatehouse (not request.user)',
    fields: DICT,
    guard: '@sign_in_required, of gatehouse, above the view',
  },
  fastapi: {
    label: 'FastAPI',
    language: 'beside',
    prints127: true,
    sign: [PYTHON, /\bfastapi\b/i],
    port: 3_000,
    usualPort: 8_000,
    start: 'uvicorn app:app --host localhost --port {port}',
    runs: 'uvicorn {target} --host localhost --port {port}',
    example: /^app\.py$/,
    creates: { file: /\.py$/, statement: FASTAPI },
    edits: [
      [
        {
          place: 'after',
          of: /^(?:from fastapi import|import fastapi)\b/m,
          lines: ['from {dot}gatehouse import add_sign_in, current_user, require_user'],
        },
      ],
      [{ place: 'after', of: FASTAPI, lines: ['add_sign_in({app})'] }],
    ],
    note: 'In {entry}: from gatehouse import add_sign_in, current_user, require_user (from .gatehouse in a package), and after the app is created: add_sign_in(app)',
    user: 'the parameter user=Depends(current_user)',
    fields: DICT,
    guard: 'the parameter user=Depends(require_user)',
  },
  flask: {
    label: 'Flask',
    language: 'beside',
    prints127: true,
    sign: [PYTHON, /\bflask\b/i],
    port: 3_000,
    usualPort: 5_000,
    start: 'flask run --host localhost --port {port}',
    runs: 'flask --app {entry} run --host localhost --port {port}',
    example: /^app\.py$/,
    creates: { file: /\.py$/, statement: FLASK },
    edits: [
      [
        {
          place: 'after',
          of: /^(?:from flask import|import flask)\b/m,
          lines: ['from {dot}gatehouse import current_user, gatehouse, require_user'],
        },
      ],
      [{ place: 'after', of: FLASK, lines: ['{app}.register_blueprint(gatehouse)'] }],
    ],
    note: 'In {entry}: from gatehouse import current_user, gatehouse, require_user (from .gatehouse in a package), and after the app is created: app.register_blueprint(gatehouse)',
    user: 'current_user()',
    fields: DICT,
    guard: 'begin the function of the page with user = require_user()',
  },
  go: {
    label: 'Go',
    language: 'beside',
    sign: [/^go\.mod$/, /^module /m],
    port: 3_000,
    usualPort: 8_080,
    start: 'go run gatehouse.go main.go',
    runs: 'go run {folder}',
    example: /^main\.go$/,
    creates: { file: /\.go$/, statement: /\bhttp\.(?:ListenAndServe\(|Server\{)/ },
    edits: [[{ place: 'wrap', of: /\bhttp\.ListenAndServe\(/, lines: ['withSignIn({argument})'] }]],
    note: 'Wrap the handler of the server in {entry}: http.ListenAndServe(address, withSignIn(handler)), or Handler: withSignIn(handler) in an http.Server.',
    user: 'currentUser(w, r), once, before you write the response',
    fields: 'a pointer to a struct with ID, Email, Name and Picture, or nil',
    guard:
      'wrap its handler: signInRequired(func(w http.ResponseWriter, r *http.Request, user *User) { … })',
  },
  php: {
    label: 'PHP',
    language: 'root',
    sign: [/^(?:composer\.json|index\.php)$/, /\S/],
    port: 3_000,
    usualPort: 8_000,
    start: 'php -S localhost:{port} -t public public/index.php',
    runs: 'php -S localhost:{port} -t public {entry}',
    example: /^public\//,
    // A front controller in the root would publish .service with it.
    creates: { file: /^public\/index\.php$/, statement: /<\?php/ },
    edits: [
      // Not where HTML follows on the line. A namespace in braces allows no statement outside.
      [
        /^(?:<\?php[ \t]+)?namespace\s[\w\\\s]+;(?!.*\?>)/m,
        /^(?:<\?php[ \t]+)?declare\s*\([^)]*\)\s*;(?!.*\?>)(?![\s\S]*^\s*namespace\b)/m,
        /(?<![\s\S])<\?php[ \t]*$(?![\s\S]*^\s*(?:namespace|declare)\b)/m,
      ].map(
        (of): Edit => ({
          place: 'after',
          of,
          lines: ["require_once __DIR__ . '/../gatehouse.php';"],
        }),
      ),
    ],
    note: "Keep index.php in a folder public below .service and gatehouse.php, so that the web server publishes neither. Add to it first, after namespace and declare: require_once __DIR__ . '/../gatehouse.php';",
    user: 'Gatehouse\\user()',
    fields: "an array with 'id', 'email', 'name' and 'picture', or null",
    guard: 'begin the page with $user = Gatehouse\\requireUser()',
  },
  ruby: {
    label: 'Sinatra',
    language: 'beside',
    recipe: 'sinatra',
    sign: [/^Gemfile$/, /sinatra/],
    port: 3_000,
    usualPort: 4_567,
    start: 'ruby app.rb -p {port}',
    runs: 'ruby {entry} -p {port}',
    example: /^app\.rb$/,
    creates: { file: /\.rb$/, statement: /^require ['"]sinatra/m },
    edits: [
      [
        {
          place: 'after',
          of: /^require ['"]sinatra(?:\/base)?['"]/m,
          lines: ["require_relative 'gatehouse'"],
        },
      ],
      [
        {
          place: 'after',
          of: /^[ \t]*class\s+\w+\s*<\s*Sinatra::\w+/m,
          lines: ['  register Gatehouse'],
        },
        {
          place: 'after',
          of: /^require ['"]sinatra['"](?![\s\S]*\bSinatra::(?:Base|Application|new)\b)/m,
          lines: ['register Gatehouse'],
        },
      ],
    ],
    note: "Add require_relative 'gatehouse', and register Gatehouse inside the class of the app.",
    user: 'current_user',
    fields: "a hash with 'id', 'email', 'name' and 'picture', or nil",
    guard: 'begin the page with user = require_user',
  },
  node: {
    ...NODE,
    label: 'Node',
    sign: [PACKAGE, /^/],
    creates: { file: JS, statement: CREATE_SERVER },
    note: "Wrap the handler of the server: createServer(gatehouse({ protect: [] }, (req, res, { user }) => { … })), with import { gatehouse } from '@gatehouse-auth/sdk/node'.",
    user: 'user',
  },
} as const satisfies Readonly<Record<string, Framework>>

export type FrameworkName = keyof typeof FRAMEWORKS

export const FRAMEWORK_NAMES = Object.keys(FRAMEWORKS) as FrameworkName[]

/** Folders of examples/recipes. */
export const RECIPES_OF_FRAMEWORKS = Object.entries(FRAMEWORKS).map(([name, framework]) =>
  'recipe' in framework ? framework.recipe : name,
)

export const isFramework = (name: unknown): name is FrameworkName =>
  FRAMEWORK_NAMES.some((each) => each === name)
