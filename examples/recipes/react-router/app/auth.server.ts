import { gatehouse } from '@gatehouse-auth/sdk/react-router'

export const auth = gatehouse({ home: '/notes', protect: ['/notes'] })
