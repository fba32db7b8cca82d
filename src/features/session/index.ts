export {
  choosingPasswordAtom,
  emailAtom,
  followSessionAtom,
  missSessionAtom,
  ownerIdAtom,
  reviewLinkAtom,
  sessionStatusAtom,
  signOutAtom,
} from './atoms.ts'
export { SessionScreen } from './SessionScreen.tsx'
