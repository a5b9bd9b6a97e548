// Colours of the style sheet (light or dark), for those who draw on canvases.

export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export function seriesColour(index: number): string {
  return colour(`series-${index % 8}`);
}

export function onThemeChange(listener: () => void) {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', listener);
}
