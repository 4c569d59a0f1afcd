import { getMigrations } from 'better-auth/db/migration'
import { serializeSignedCookie } from 'better-call'
import { auth, options } from './better-auth-config.js'
import { profile, SESSIONS, writeWorkloads } from './peer-env.js'

// Creates better-auth's tables and sessions, and writes the requests with their cookies.

const { runMigrations } = await getMigrations(options)
await runMigrations()
const context = await auth.$context
const { name } = context.authCookies.sessionToken
const verify = []
options.database.exec('begin')
for (let number = 0; number < SESSIONS; number++) {
  const { email, name: displayName, picture } = profile(number)
  const user = await context.internalAdapter.createUser({
    email,
    name: displayName,
    image: picture,
    emailVerified: true,
  })
  const { token } = await context.internalAdapter.createSession(user.id)
  const [cookie] = (await serializeSignedCookie(name, token, context.secret)).split(';')
  verify.push({
    request: {
      method: 'GET',
      path: '/api/auth/get-session',
      headers: { Cookie: await withCache(cookie) },
    },
    status: 200,
    contains: {
      session: { token },
      user: { id: user.id, email, name: displayName, image: picture },
    },
  })
}
options.database.exec('commit')
writeWorkloads({ verify })
options.database.close()

/** The cookies of a browser after its first response. */
async function withCache(cookie) {
  if (process.env.COOKIE_CACHE !== '1') {
    return cookie
  }
  const response = await auth.api.getSession({ headers: new Headers({ cookie }), asResponse: true })
  const cached = response.headers.getSetCookie().map((set) => set.split(';')[0])
  return [cookie, ...cached.filter((each) => !each.startsWith(`${name}=`))].join('; ')
}
