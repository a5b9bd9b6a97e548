// Small help to build elements; texts are set as text, never as markup.

type Attributes = Record<string, string | boolean | undefined>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    // An attribute `style` would be refused by the page's own security policy.
    if (name === 'style') made.style.cssText = String(value);
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}

export function byId<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

export function download(blob: Blob, name: string) {
  const link = element('a', {download: name, href: URL.createObjectURL(blob)});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The letter of a result where there are several. */
export function letter(index: number): string {
  return String.fromCharCode(65 + index);
}

const SVG = 'http://www.w3.org/2000/svg';
export function icon(path: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}
