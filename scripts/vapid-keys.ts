// `npm run vapid-keys`: prints new keys for notifications as secrets of the edge functions.
import { createVapidKeys } from '../embedded/vapid-keys.ts'

const { publicKey, privateKey } = createVapidKeys()
console.log(`VAPID_PUBLIC_KEY=${publicKey}\nVAPID_PRIVATE_KEY=${privateKey}`)
