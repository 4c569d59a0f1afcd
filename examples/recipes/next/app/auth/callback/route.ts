import { handleCallback } from '@gatehouse/sdk'
import { client } from '../../../gatehouse'

export const GET = (request: Request) => handleCallback(request, { client, home: '/notes' })
