import { gatehouse } from '@gatehouse/sdk/react-router'
import { client } from './gatehouse.server'

export const auth = gatehouse({ client, home: '/notes', protect: ['/notes'] })
