import type { Channel } from './channel.ts'
import { ntfy } from './ntfy.ts'
import { webPush } from './web-push.ts'
import { webhook } from './webhook.ts'

/** How the owner can be told. Settings, the functions' permissions, the doctor and deploying follow this list. */
export const CHANNELS: readonly Channel[] = [webPush, ntfy, webhook]
