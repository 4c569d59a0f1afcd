import { gatehouse } from '@gatehouse/sdk/next'

export const auth = gatehouse({ home: '/notes', protect: ['/notes'] })
