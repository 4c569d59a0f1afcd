// In routes.ts, for each of 'login', 'auth/callback', 'logout' and 'auth/session':
// route(path, 'routes/auth.ts', { id: path })
import { auth } from '../auth.server'

export const loader = auth.loader
export const action = auth.action
