import { ApiError } from '../../domain/api-error.ts'

export const brandNotFound = (): ApiError =>
  new ApiError('brandNotFound', 'This tenant has no brand yet. Set its name first: PUT /api/social-login/brand.')
