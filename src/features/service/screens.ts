export { Dialogs } from './Dialogs.tsx'
export { Due } from './Due.tsx'
export { BikeService, PartService } from './TaskList.tsx'
