import { gatehouse } from '@gatehouse/sdk/next'
import { client } from './gatehouse'

export const auth = gatehouse({ client, home: '/notes', protect: ['/notes'] })
