import { gatehouse } from '@gatehouse/sdk/sveltekit'
import { client } from './lib/server/gatehouse'

// Handles /login, /auth/callback and /logout, refreshes sessions, and guards /notes.
export const handle = gatehouse({ client, home: '/notes', protect: ['/notes'] })
