declare namespace App {
  interface Locals {
    user: import('@gatehouse/sdk').User | null
  }
}
