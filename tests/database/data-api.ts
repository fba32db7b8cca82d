import { createApi } from '../../embedded/api.ts'
import { openSessions } from '../../embedded/database.ts'
import { createSecrets, type Secrets } from '../../embedded/secrets.ts'
import { openMigratedDatabase, type TestDatabase } from './databases.ts'

export interface DataApi {
  database: TestDatabase
  secrets: Secrets
  ownerToken: string
  fetch(path: string, init: RequestInit): Promise<Response>
  close(): Promise<void>
}

export async function openDataApi(): Promise<DataApi> {
  const secrets = createSecrets()
  const database = await openMigratedDatabase()
  const sessions = openSessions(database.url)
  const account = {
    method: 'POST',
    headers: { apikey: secrets.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'owner@example.com', password: 'password' }),
  }
  await createApi(sessions, secrets, { signUps: true }).fetch(request('/auth/v1/signup', account))
  const api = createApi(sessions, secrets)
  const signedIn = await api.fetch(request('/auth/v1/token?grant_type=password', account))
  const { access_token: ownerToken } = (await signedIn.json()) as { access_token: string }
  return {
    database,
    secrets,
    ownerToken,
    fetch: (path, init) => api.fetch(request(path, init)),
    async close() {
      await sessions.close()
      await database.close()
    },
  }
}

const request = (path: string, init: RequestInit) => new Request(`http://127.0.0.1${path}`, init)
