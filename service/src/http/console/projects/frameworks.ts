/** What the first steps of a project show for a framework. `service/test/console/console-overview.test.ts` compares it with the command line. */
interface ShownFramework {
  /** Its name in `init --framework`. */
  readonly name: string
  readonly label: string
  /** Packages besides the SDK; null: the recipe has no SDK and nothing to install. */
  readonly install: string | null
  /** The command that starts the app. */
  readonly start: string
}

export const FRAMEWORKS: readonly ShownFramework[] = [
  { name: 'node', label: 'Node', install: '', start: 'node server.js' },
  { name: 'express', label: 'Express', install: 'express', start: 'node server.js' },
  { name: 'hono', label: 'Hono', install: 'hono @hono/node-server', start: 'node server.js' },
  { name: 'fastify', label: 'Fastify', install: 'fastify', start: 'node server.js' },
  { name: 'next', label: 'Next.js', install: '', start: 'npm run dev' },
  { name: 'sveltekit', label: 'SvelteKit', install: '', start: 'npm run dev' },
  { name: 'react-router', label: 'React Router', install: '', start: 'npm run dev' },
  { name: 'astro', label: 'Astro', install: '', start: 'npm run dev' },
  { name: 'nuxt', label: 'Nuxt', install: '', start: 'npm run dev' },
  { name: 'vite', label: 'Vite', install: '', start: 'npm run dev' },
  { name: 'flask', label: 'Flask', install: null, start: 'flask run --host localhost --port 3000' },
  {
    name: 'fastapi',
    label: 'FastAPI',
    install: null,
    start: 'uvicorn app:app --host localhost --port 3000',
  },
  {
    name: 'django',
    label: 'Django',
    install: null,
    start: 'python app.py runserver localhost:3000',
  },
  { name: 'go', label: 'Go', install: null, start: 'go run gatehouse.go main.go' },
  {
    name: 'php',
    label: 'PHP',
    install: null,
    start: 'php -S localhost:3000 -t public public/index.php',
  },
  { name: 'ruby', label: 'Sinatra', install: null, start: 'ruby app.rb -p 3000' },
]
