import { blockUser, deleteUser, getUser, listUsers, type UserDetails, unblockUser } from '@gatehouse/contract'
import type { Project } from '../credentials/project.ts'
import { manage } from './tenants.ts'

export interface UserSearch {
  readonly text: string | undefined
  readonly blocked: boolean
  readonly limit: number
}

export async function findUsers(project: Project, { text, blocked, limit }: UserSearch): Promise<UserDetails[]> {
  const query = {
    limit,
    include: 'blocked',
    ...(text === undefined ? {} : { q: text }),
    ...(blocked ? { blocked: 'true' } : {}),
  }
  return (await manage(project, listUsers, { query })).users
}

export const readUser = async (project: Project, id: number): Promise<UserDetails> =>
  (await manage(project, getUser, { params: { id }, query: { include: 'blocked' } })).user

export const setBlocked = async (project: Project, id: number, blocked: boolean): Promise<UserDetails> =>
  (await manage(project, blocked ? blockUser : unblockUser, { params: { id } })).user

export const removeUser = (project: Project, id: number) => manage(project, deleteUser, { params: { id } })
