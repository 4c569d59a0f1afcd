import { ApiError } from '../../domain/api-error.ts'

export const invalidCode = (): ApiError =>
  new ApiError(
    'invalidCode',
    'This code is unknown, expired or used, or its code_verifier does not fit. The user signs in again.',
  )
