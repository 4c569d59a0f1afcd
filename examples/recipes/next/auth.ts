import { gatehouse } from '@gatehouse-auth/sdk/next'

export const auth = gatehouse({ home: '/notes', protect: ['/notes'] })
