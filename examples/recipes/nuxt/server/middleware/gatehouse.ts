import { gatehouse } from '@gatehouse-auth/sdk/nuxt'

// Handles /login, /auth/callback and /logout, refreshes sessions, and guards /notes.
export default defineEventHandler(gatehouse({ home: '/notes', protect: ['/notes'] }))
