export { SampleBadge, SampleGuide } from './SampleGuide.tsx'
