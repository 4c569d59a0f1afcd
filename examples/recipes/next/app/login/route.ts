import { startLogin } from '@gatehouse/sdk'
import { client } from '../../gatehouse'

export const GET = (request: Request) => startLogin(request, { client })
