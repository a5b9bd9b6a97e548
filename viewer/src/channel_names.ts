// What quantities are called on the page: names and units instead of paths and numbers.

/** The unit of every component: `rad, m, m` or one for all. */
export function componentUnits(unit: string, width: number): string[] {
  const units = unit.split(', ');
  return Array.from({length: width}, (_, i) => units[i] ?? units[0]);
}

/** Coordinates or rates of a joint, told by their units: quaternion, angles, lengths. */
export function coordinateNames(units: string[]): string[] {
  const total = (start: string) => units.filter((unit) => unit.startsWith(start)).length;
  const [turns, slides] = [total('rad'), total('m')];
  let [quaternion, turn, slide] = [0, 0, 0];
  return units.map((unit) => {
    if (unit === '1') return `quaternion ${'wxyz'[quaternion++ % 4]}`;
    if (unit.startsWith('rad')) {
      ++turn;
      return turns === 1 ? 'angle' : turns === 3 ? `about ${'xyz'[turn - 1]}` : `angle ${turn}`;
    }
    ++slide;
    return slides === 1 ? 'slide' : 'xyz'[slide - 1];
  });
}

/** Names of a column's components: the file's own where they are names, those of coordinates where they are numbers. */
export function componentNames({width, unit, components}: {width: number; unit: string; components: string[]}): string[] {
  if (width === 1) return [''];
  const named = components.length === width && components.some((name) => !/^\d+$/.test(name));
  if (named) return components.map((name) => name.replaceAll('.', ' '));
  const units = componentUnits(unit, width);
  if (width === 6 && units[0] === 'N m') return ['moment x', 'moment y', 'moment z', 'force x', 'force y', 'force z'];
  if (width === 3 && units[0] === 'N m' && units[1] === 'N') return ['moment', 'force x', 'force y'];
  if (width <= 3 && !/rad/.test(unit)) return ['x', 'y', 'z'].slice(0, width);
  return coordinateNames(units);
}

const WHOLE: Record<string, string> = {
  'energy/work': 'work of all sources', 'energy/dissipated': 'dissipated energy', 'energy/residual': 'energy balance residual',
  'momentum/linear': 'linear momentum', 'momentum/angular': 'angular momentum about the origin',
  'constraints/position': 'constraint error of positions', 'constraints/velocity': 'constraint error of velocities',
  'solver/iterations': 'solver iterations', 'solver/residual': 'solver residual',
};
const QUANTITIES: Record<string, string> = {
  'bodies/com': 'centre of mass', 'bodies/quaternion': 'orientation', 'joints/position': 'coordinate',
  'joints/reaction': 'reaction, child axes', 'joints/reaction_world': 'reaction, world axes',
  'joints/reaction_parent': 'reaction on parent',
};

export function decoded(name: string): string {
  return name.replaceAll('%2F', '/').replace(/^%2E/, '.');
}

/** Of a dataset: `bodies/link1/com` -> `link1 centre of mass`. */
export function quantityName(path: string): string {
  if (WHOLE[path]) return WHOLE[path];
  const [group, name, quantity] = path.split('/').map(decoded);
  if (group === 'energy') return `${name} energy`;
  if (group === 'work') return `work of ${name}`;
  if (group === 'dissipated') return `dissipated by ${name}`;
  if (!quantity) return [group, name].filter(Boolean).join(' ');
  return `${name} ${QUANTITIES[`${group}/${quantity}`] ?? quantity.replaceAll('_', ' ')}`;
}
