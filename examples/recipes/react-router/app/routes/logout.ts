import { handleLogout } from '@gatehouse/sdk'
import type { ActionFunctionArgs } from 'react-router'
import { client } from '../gatehouse.server'

export const action = ({ request }: ActionFunctionArgs) => handleLogout(request, { client })
