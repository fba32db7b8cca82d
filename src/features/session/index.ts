export {
  awaitRefreshAtom,
  checkLinkAtom,
  choosingPasswordAtom,
  emailAtom,
  followSessionAtom,
  ownerIdAtom,
  sessionStatusAtom,
  signOutAtom,
} from './atoms.ts'
export { SessionScreen } from './SessionScreen.tsx'
