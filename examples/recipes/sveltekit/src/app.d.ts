declare global {
  namespace App {
    interface Locals {
      user: import('@gatehouse-auth/sdk').User | null
    }
  }
}

export {}
