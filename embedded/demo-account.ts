import { createApi } from './api.ts'
import type { Database } from './database.ts'
import type { Secrets } from './secrets.ts'
import { DEMO_ACCOUNT } from './settings.ts'

/** Returns a function that checks whether the demo account exists and still has its password. */
export function createDemoAccount(database: Database, secrets: Secrets): () => Promise<boolean> {
  let checked: { hash: string; isDemo: Promise<boolean> } | undefined
  return async () => {
    const [account] = await database.sql<{ hash: string }[]>`
      select encrypted_password as hash from auth.users where email = ${DEMO_ACCOUNT.email}`
    if (!account) return false
    // Checking a password is slow, so do it only when the password changed.
    if (checked?.hash !== account.hash) checked = { hash: account.hash, isDemo: canSignIn(database, secrets) }
    return checked.isDemo
  }
}

async function canSignIn(database: Database, secrets: Secrets): Promise<boolean> {
  const api = createApi(database, secrets)
  const post = (path: string, headers: Record<string, string>, body?: object) =>
    api.fetch(
      new Request(`http://127.0.0.1/auth/v1/${path}`, {
        method: 'POST',
        headers: { apikey: secrets.publishableKey, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body ?? {}),
      }),
    )
  const response = await post('token?grant_type=password', {}, DEMO_ACCOUNT)
  if (!response.ok) return false
  const { access_token } = (await response.json()) as { access_token: string }
  await post('logout?scope=local', { authorization: `Bearer ${access_token}` })
  return true
}
