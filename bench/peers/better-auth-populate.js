import { getMigrations } from 'better-auth/db/migration'
import { serializeSignedCookie } from 'better-call'
import { auth, options } from './better-auth-config.js'
import { offer, person, SESSIONS } from './offer.js'

// A program: makes better-auth's tables, begins sessions, and says with which cookies to ask for them.

const { runMigrations } = await getMigrations(options)
await runMigrations()
const context = await auth.$context
const { name } = context.authCookies.sessionToken
const verify = []
options.database.exec('begin')
for (let number = 0; number < SESSIONS; number++) {
  const { email, name: called, picture } = person(number)
  const user = await context.internalAdapter.createUser({ email, name: called, image: picture, emailVerified: true })
  const { token } = await context.internalAdapter.createSession(user.id)
  const [cookie] = (await serializeSignedCookie(name, token, context.secret)).split(';')
  verify.push({
    request: { method: 'GET', path: '/api/auth/get-session', headers: { Cookie: await withCache(cookie) } },
    status: 200,
    says: { session: { token }, user: { id: user.id, email, name: called, image: picture } },
  })
}
options.database.exec('commit')
offer({ verify })
options.database.close()

/** The cookies a browser would have after it was answered once. */
async function withCache(cookie) {
  if (process.env.COOKIE_CACHE !== '1') return cookie
  const response = await auth.api.getSession({ headers: new Headers({ cookie }), asResponse: true })
  const cached = response.headers.getSetCookie().map((set) => set.split(';')[0])
  return [cookie, ...cached.filter((each) => !each.startsWith(`${name}=`))].join('; ')
}
