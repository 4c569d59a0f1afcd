import { handleLogout } from '@gatehouse/sdk'
import { client } from '../../gatehouse'

export const POST = (request: Request) => handleLogout(request, { client })
