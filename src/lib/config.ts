import * as v from 'valibot'

/** A base URL, without a trailing slash. */
const BaseUrl = v.pipe(
  v.string(),
  v.url(),
  v.transform((url) => url.replace(/\/+$/, '')),
)

const Config = v.object({
  /** Base URL of Auth, the data API and the functions. */
  supabaseUrl: BaseUrl,
  /** The project's public key. Row-level security protects the data, not this key. */
  publishableKey: v.pipe(v.string(), v.nonEmpty()),
  /** Base URL of trip pages and images. */
  rwgpsUrl: BaseUrl,
  /** Identifies the tracker to push services. Without it, notifications are unavailable. */
  vapidPublicKey: v.optional(v.string()),
  sample: v.boolean(),
  secondFactor: v.optional(v.boolean()),
  /** Whether the backend is a Supabase project, which the tracker's commands can't reach. */
  isHosted: v.optional(v.boolean()),
  /** Whether the tracker runs from the installed package instead of a clone. */
  isPackage: v.optional(v.boolean()),
  /** Whether the database has other rules for a time zone in use than the tracker. */
  otherZoneRules: v.optional(v.boolean()),
  /** Whether the sample still has its demo account, which the sign-in screen shows. */
  demoAccount: v.optional(v.boolean()),
})

export type Config = v.InferOutput<typeof Config>

/** Thrown if a proxy tells the tracker another address than the browser's, so the page could not send it any request. */
export class OtherAddress extends Error {
  constructor(opened: string, told: string) {
    super(
      `You opened the tracker at ${opened}, but its proxy tells it the address ${told}. Set PUBLIC_URL to ${opened}, and let the proxy pass on the Host header.`,
    )
  }
}

export async function loadConfig(opened = location.origin): Promise<Config> {
  const response = await fetch('/config.json')
  if (!response.ok) throw new Error(`/config.json responded with ${response.status}`)
  const config = v.parse(Config, await response.json())
  const told = new URL(config.supabaseUrl).origin
  if (!config.isHosted && told !== opened) throw new OtherAddress(opened, told)
  return config
}
