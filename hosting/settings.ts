/** What the client reads at its start, where a static host serves it. */
export interface HostedConfig {
  supabaseUrl: string
  publishableKey: string
  rwgpsUrl: string
  sample: false
}

/** The hosted client's settings, or null when none are set. Throws a sentence when they would not do, or tell a secret. */
export function readHostedConfig(environment: Record<string, string | undefined>): HostedConfig | null {
  const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, RWGPS_BASE_URL } = environment
  if (!SUPABASE_URL && !SUPABASE_PUBLISHABLE_KEY) return null
  if (!SUPABASE_URL || !SUPABASE_PUBLISHABLE_KEY) {
    throw new Error('SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY belong together; set both or neither.')
  }
  if (!URL.canParse(SUPABASE_URL)) throw new Error(`SUPABASE_URL is no address: ${SUPABASE_URL}`)
  if (isSecret(SUPABASE_PUBLISHABLE_KEY)) {
    throw new Error(
      'SUPABASE_PUBLISHABLE_KEY holds a secret key, which everybody could read in the client; set the publishable key.',
    )
  }
  return {
    supabaseUrl: SUPABASE_URL,
    publishableKey: SUPABASE_PUBLISHABLE_KEY,
    rwgpsUrl: RWGPS_BASE_URL || 'https://ridewithgps.com',
    sample: false,
  }
}

// A key of today says what it is; one of before is a token whose role does.
function isSecret(key: string): boolean {
  if (key.startsWith('sb_secret_')) return true
  const payload = Buffer.from(key.split('.')[1] ?? '', 'base64url').toString()
  return payload.includes('service_role')
}
