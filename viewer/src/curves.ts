// Which curves there are: groups of series, each with its unit, of all results at once.

import {componentNames, componentUnits, decoded} from './channel_names';
import {Column, isMode, linkName, Scene} from './payload';
import {Result} from './result';

export interface Curve {
  label: string;
  unit: string;
  /** One for each result; null where a result has no such quantity. */
  columns: (Column | null)[];
  component: number;
  colour: string;
}

export interface CurveGroup {
  id: string;
  title: string;
  unit: string;
  /** Absolute values on a logarithmic axis. */
  log: boolean;
  /** What the group can show, one at a time; a single choice needs no menu. */
  choices: {label: string; curves: () => Curve[]}[];
  open: boolean;
}

const MOST_AT_ONCE = 8;

class Finder {
  constructor(private readonly results: Result[]) {}

  curves(path: string, label: string, colours: string[] = []): Curve[] {
    const columns = this.results.map((result) => result.columns.find(path) ?? null);
    const first = columns.find((column) => column);
    if (!first) return [];
    const [names, units] = [componentNames(first), componentUnits(first.unit, first.width)];
    return Array.from({length: first.width}, (_, component) => ({
      label: [label, names[component]].filter(Boolean).join(' '),
      unit: units[component],
      columns: columns.map((column) => (column && component < column.width ? column : null)),
      component,
      colour: colours[component] ?? '',
    }));
  }

  names(group: string): string[] {
    const known = this.results.flatMap(({scene}) => namedParts(scene, group).map(({name}) => name));
    const all = known.length ? known : this.results.flatMap(({columns}) => columns.names(group));
    return [...new Set(all)];
  }

  has(path: string): boolean {
    return this.results.some(({columns}) => columns.has(path));
  }
}

/** In the order of the model file; other groups have none but the alphabet's. */
function namedParts({bodies, joints, points, tendons}: Scene, group: string): {name: string}[] {
  return group === 'bodies' ? bodies : group === 'joints' ? joints : group === 'points' ? points
    : group === 'tendons' ? tendons : [];
}

function coloured(curves: Curve[]): Curve[] {
  curves.forEach((curve, i) => (curve.colour ||= `series-${i % 8}`));
  return curves;
}

function isZero({columns, component}: Curve): boolean {
  return columns.every((column) => {
    if (!column) return true;
    for (let i = component; i < column.values.length; i += column.width) if (column.values[i] !== 0) return false;
    return true;
  });
}

function energies(find: Finder): Curve[] {
  const parts: [string, string][] = [['kinetic', 'series-0'], ['gravity', 'series-2'], ['elastic', 'series-1'],
    ['work', 'series-3'], ['dissipated', 'series-4'], ['total', 'text']];
  return parts.flatMap(([part, colour]) => find.curves(`energy/${part}`, part, [colour]))
    .filter((curve) => curve.label === 'total' || !isZero(curve));
}

/** One quantity of every member of a group, or of one of them. */
function perMember(find: Finder, group: string, quantity: string): CurveGroup['choices'] {
  const members = find.names(group).filter((name) => find.has(`${group}/${linkName(name)}/${quantity}`));
  const of = (name: string, label: string) => find.curves(`${group}/${linkName(name)}/${quantity}`, label);
  const choices = members.map((name) => ({label: decoded(name), curves: () => coloured(of(name, '').map((curve) => ({...curve, label: curve.label || decoded(name)})))}));
  if (members.length > 1 && members.length <= MOST_AT_ONCE && members.every((name) => of(name, name).length === 1)) {
    choices.unshift({label: 'all', curves: () => coloured(members.flatMap((name) => of(name, decoded(name))))});
  }
  return choices;
}

/** All the groups that these results have something for. */
export function curveGroups(results: Result[]): CurveGroup[] {
  const find = new Finder(results);
  const one = (curves: () => Curve[]) => [{label: '', curves: () => coloured(curves())}];
  const group = (id: string, title: string, unit: string, choices: CurveGroup['choices'], open = true, log = false) =>
    ({id, title, unit, choices, open, log});
  const byName = (folder: string) => find.names(folder).flatMap((name) => find.curves(`${folder}/${name}`, decoded(name)));
  const groups = [
    group('energy', 'Energy', 'J', one(() => energies(find))),
    group('residual', 'Balance residual', 'J',
          one(() => find.curves('energy/residual', 'E − E₀ − work + dissipated')), true, true),
    group('constraints', 'Constraint errors', 'm, m/s',
          one(() => ['position', 'velocity'].flatMap((part) => find.curves(`constraints/${part}`, part))), true, true),
    group('joint-position', 'Joint coordinates', '', perMember(find, 'joints', 'position')),
    group('joint-rate', 'Joint rates', '', perMember(find, 'joints', 'rate'), false),
    group('joint-acceleration', 'Joint accelerations', '', perMember(find, 'joints', 'acceleration'), false),
    group('efforts', 'Actuator efforts', '', perMember(find, 'actuators', 'effort')),
    group('controllers', 'Controller efforts', '', perMember(find, 'controllers', 'effort')),
    group('tension', 'Tendon tension', 'N', perMember(find, 'tendons', 'tension')),
    group('activation', 'Muscle activation', '', perMember(find, 'muscles', 'activation')),
    group('muscle-force', 'Muscle force', 'N', perMember(find, 'muscles', 'force'), false),
    group('length', 'Tendon length', 'm', perMember(find, 'tendons', 'length'), false),
    group('linear', 'Linear momentum', 'kg m/s', one(() => find.curves('momentum/linear', '')), false),
    group('angular', 'Angular momentum about the origin', 'kg m^2/s',
          one(() => find.curves('momentum/angular', '')), false),
    group('work', 'Work by source', 'J', one(() => byName('work')), false),
    group('dissipated', 'Dissipated by damper', 'J', one(() => byName('dissipated')), false),
    group('com', 'Centre of mass of a body', 'm', perMember(find, 'bodies', 'com'), false),
    group('angle', 'Angle of a body', 'rad', perMember(find, 'bodies', 'angle'), false),
    group('quaternion', 'Orientation of a body', '', perMember(find, 'bodies', 'quaternion'), false),
    group('velocity', 'Velocity of a body', 'm/s', perMember(find, 'bodies', 'velocity'), false),
    group('spin', 'Angular velocity of a body', 'rad/s', perMember(find, 'bodies', 'angular_velocity'), false),
    group('acceleration', 'Acceleration of a body', 'm/s^2', perMember(find, 'bodies', 'acceleration'), false),
    group('angular-acceleration', 'Angular acceleration of a body', 'rad/s^2',
          perMember(find, 'bodies', 'angular_acceleration'), false),
    group('point', 'Position of a point', 'm', perMember(find, 'points', 'position'), false),
    group('point-velocity', 'Velocity of a point', 'm/s', perMember(find, 'points', 'velocity'), false),
    group('point-acceleration', 'Acceleration of a point', 'm/s^2', perMember(find, 'points', 'acceleration'), false),
    group('reaction', 'Reaction in a joint, child axes', '', perMember(find, 'joints', 'reaction'), false),
    group('reaction-world', 'Reaction in a joint, world axes', '', perMember(find, 'joints', 'reaction_world'), false),
    group('reaction-parent', 'Reaction on the parent of a joint, its axes', '',
          perMember(find, 'joints', 'reaction_parent'), false),
    group('iterations', 'Solver iterations', '', one(() => find.curves('solver/iterations', 'iterations')), false),
  ];
  const places = ['joint-position', 'length', 'com', 'angle', 'quaternion']; // all that a mode has
  const shown = results.every(({stored}) => isMode(stored)) ? groups.filter(({id}) => places.includes(id)) : groups;
  return shown.filter(({id, choices}) => choices.some(({curves}) => curves().length > 0 &&
    (id !== 'constraints' && id !== 'iterations' || curves().some((curve) => !isZero(curve)))));
}
