// `npm run vapid-keys`: prints new keys for notifications as secrets of the edge functions.
import { readCommandLine } from '../embedded/command-line.ts'
import { createVapidKeys } from '../embedded/vapid-keys.ts'

readCommandLine({
  name: 'vapid-keys',
  about: 'Prints new keys for notifications as secrets of the edge functions.',
})

const { publicKey, privateKey } = createVapidKeys()
console.log(`VAPID_PUBLIC_KEY=${publicKey}\nVAPID_PRIVATE_KEY=${privateKey}`)
