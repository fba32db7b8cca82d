export {
  choosingPasswordAtom,
  emailAtom,
  followSessionAtom,
  ownerIdAtom,
  reviewLinkAtom,
  sessionStatusAtom,
  signOutAtom,
} from './atoms.ts'
export { SessionScreen } from './SessionScreen.tsx'
