import { handleCallback } from '@gatehouse/sdk'
import type { LoaderFunctionArgs } from 'react-router'
import { client } from '../gatehouse.server'

export const loader = ({ request }: LoaderFunctionArgs) => handleCallback(request, { client, home: '/notes' })
