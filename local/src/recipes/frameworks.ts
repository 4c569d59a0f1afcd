/** Lines that an app which exists needs in one of its files. */
export interface Addition {
  /** Default: the file that creates the app. */
  readonly file?: string
  /** Where in the file, as a phrase. */
  readonly where: string
  readonly lines: readonly string[]
  /** The file has these lines already. Default: it names Gatehouse. */
  readonly done?: RegExp
}

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
  /** Creates an app in an empty folder: the recipe alone does not run. */
  readonly create?: string
  /** The file that creates the app, and the statement that does. Its group `app` is the variable. */
  readonly creates?: { readonly file: RegExp; readonly statement: RegExp }
  /** What the developer adds to an app that exists. */
  readonly additions?: readonly Addition[]
  /** What else the developer should know. */
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

const IMPORTS = 'with the other imports'

/** What a server in Node adds to the file that creates the app. */
const inNode = (framework: string, register: string): readonly Addition[] => [
  {
    where: IMPORTS,
    lines: [`import { gatehouse, userOf } from '@gatehouse-auth/sdk/${framework}'`],
  },
  {
    where: 'directly after the app is created, before its routes (app is your variable)',
    lines: [`app.${register}(gatehouse({ protect: [] }))`],
  },
]

// Vite's defaults, which a list of one's own replaces, and ours.
const DENY =
  "server: { fs: { deny: ['.env', '.env.*', '*.{crt,pem,key,p12,pfx,cer,der}', '.npmrc', '.yarnrc.yml', '**/.git/**', '.service*'] } },"

/** Vite's development server publishes the files of its root that are not denied, those with a leading dot too. */
const denyService = (file: string, key: 'server' | 'vite'): Addition => ({
  file,
  where:
    "in the configuration: Vite's development server publishes the keys in .service, unless this denies it",
  done: /\.service/,
  lines: [key === 'vite' ? `vite: { ${DENY.slice(0, -1)} },` : DENY],
})

/** A variable or a property of JavaScript that gets this value. A field of a class has no place for a statement after it. */
const assigns = (value: string): RegExp =>
  new RegExp(
    String.raw`^[ \t]*(?:export\s+)?(?:(?:const|let|var)\s+|(?=(?:this|self|exports)\.))(?<app>[\w.#$]+)\s*(?::\s*[\w.]+(?:<.*>)?\s*)?=\s*(?:module\.exports\s*=\s*)?${value}`,
    'm',
  )
const EXPRESS = assigns(String.raw`(?:express|require\(['"]express['"]\))\(`)
const HONO = assigns(String.raw`new (?:Hono|OpenAPIHono)\b`)
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
    create: 'npx create-next-app@latest . --yes',
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
    additions: [
      {
        file: 'src/app.d.ts',
        where: 'in namespace App',
        lines: ["interface Locals { user: import('@gatehouse-auth/sdk').User | null }"],
      },
    ],
    note: "If you have a src/hooks.server.ts: export const handle = sequence(gatehouse({ protect: [] }), yours), with sequence of '@sveltejs/kit/hooks' and gatehouse of '@gatehouse-auth/sdk/sveltekit'.",
    create: 'npx sv create . --template minimal --types ts --no-add-ons --install npm',
    user: 'locals.user (in +page.server.ts: load = ({ locals }) => ({ user: locals.user }))',
    guard: `${PROTECT}, in src/hooks.server.ts`,
  },
  'react-router': {
    label: 'React Router',
    sign: [PACKAGE, /"@react-router\/dev"\s*:/],
    port: 5_173,
    start: 'npm run dev',
    example: /^app\/routes\/notes\.tsx$/,
    additions: [
      {
        file: 'app/routes.ts',
        done: /routes\/auth\./,
        where: "in the list of routes, with route of '@react-router/dev/routes'",
        lines: [
          "...['login', 'auth/callback', 'logout', 'auth/session'].map((path) => route(path, 'routes/auth.ts', { id: path })),",
          "route('notes', 'routes/notes.tsx'), // The example page, if you have it.",
        ],
      },
      denyService('vite.config.ts', 'server'),
      {
        file: 'react-router.config.ts',
        where:
          'only with React Router 7 (7.9 or newer), which ignores the middleware of routes otherwise',
        done: /v8_middleware/,
        lines: ['future: { v8_middleware: true },'],
      },
    ],
    create: 'npx create-react-router@latest . --yes',
    user: 'userOf(context) in a loader, in a route with export const middleware = [auth.middleware], or in root.tsx for all',
    guard: `${PROTECT}, in app/auth.server.ts`,
  },
  astro: {
    label: 'Astro',
    sign: [PACKAGE, /"astro"\s*:/],
    port: 4_321,
    start: 'npm run dev',
    example: /^src\/pages\//,
    additions: [denyService('astro.config.mjs', 'vite')],
    create: 'npm create astro@latest . -- --template minimal --install --yes',
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
    additions: [denyService('nuxt.config.ts', 'vite')],
    create:
      'npm create nuxt@latest . -- --template minimal --force --packageManager npm --no-gitInit',
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
    additions: inNode('fastify', 'register'),
    user: 'userOf(request)',
  },
  hono: {
    ...NODE,
    label: 'Hono',
    sign: [PACKAGE, /"hono"\s*:/],
    packages: 'hono @hono/node-server',
    creates: { file: JS, statement: HONO },
    additions: inNode('hono', 'use'),
    user: 'userOf(c)',
  },
  express: {
    ...NODE,
    label: 'Express',
    sign: [PACKAGE, /"express"\s*:/],
    packages: 'express',
    creates: { file: JS, statement: EXPRESS },
    additions: inNode('express', 'use'),
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
    additions: [
      {
        where: 'first of all imports: it answers the callback (./auth is src/auth.ts)',
        done: /\/auth['"]/,
        lines: ["import './auth'"],
      },
      denyService('vite.config.ts', 'server'),
    ],
    create: 'npm create vite@latest . -- --template vanilla-ts',
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
    // SecurityMiddleware redirects to https, and must do so for /login, too.
    additions: [
      {
        where: 'in MIDDLEWARE, right after SecurityMiddleware, else first',
        lines: ["'gatehouse.SignIn',"],
      },
    ],
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
    additions: [
      {
        where: `${IMPORTS} (from .gatehouse inside a package)`,
        lines: ['from gatehouse import add_sign_in, current_user, require_user'],
      },
      { where: 'after the app is created (app is your variable)', lines: ['add_sign_in(app)'] },
    ],
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
    additions: [
      {
        where: `${IMPORTS} (from .gatehouse inside a package)`,
        lines: ['from gatehouse import current_user, gatehouse, require_user'],
      },
      {
        where: 'after the app is created (app is your variable)',
        lines: ['app.register_blueprint(gatehouse)'],
      },
    ],
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
    additions: [
      {
        where:
          'around the handler of the server; also as Handler: withSignIn(handler) in an http.Server',
        done: /\bwithSignIn\(/,
        lines: ['http.ListenAndServe(address, withSignIn(handler))'],
      },
    ],
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
    additions: [
      {
        file: 'public/index.php',
        where: 'first, after namespace and declare',
        lines: ["require_once __DIR__ . '/../gatehouse.php';"],
      },
    ],
    note: 'Keep index.php in a folder public below .service and gatehouse.php, so that the web server publishes neither.',
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
    additions: [
      { where: "after require 'sinatra'", lines: ["require_relative 'gatehouse'"] },
      {
        where: 'inside the class of the app; without a class, below the line above',
        lines: ['register Gatehouse'],
      },
    ],
    user: 'current_user',
    fields: "a hash with 'id', 'email', 'name' and 'picture', or nil",
    guard: 'begin the page with user = require_user',
  },
  node: {
    ...NODE,
    label: 'Node',
    sign: [PACKAGE, /^/],
    creates: { file: JS, statement: CREATE_SERVER },
    additions: [
      { where: IMPORTS, lines: ["import { gatehouse } from '@gatehouse-auth/sdk/node'"] },
      {
        where: 'around the handler of the server',
        lines: ['createServer(gatehouse({ protect: [] }, (req, res, { user }) => { … }))'],
      },
    ],
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
