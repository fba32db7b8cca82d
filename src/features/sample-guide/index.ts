export { SampleBadge } from './SampleBadge.tsx'
export { SampleGuide } from './SampleGuide.tsx'
