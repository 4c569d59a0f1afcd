import { gatehouse } from '@gatehouse/sdk/react-router'

export const auth = gatehouse({ home: '/notes', protect: ['/notes'] })
