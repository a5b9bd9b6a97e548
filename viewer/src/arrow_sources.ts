// Vectors of a run that can be drawn as arrows: velocities, forces, moments, reactions.

import {Column, Joint, linkName, Quaternion, Vector} from './payload';
import {Moment, Result, rotate} from './result';

export type ArrowKind = 'velocity' | 'spin' | 'force' | 'moment' | 'reaction' | 'reaction-moment';

export const ARROWS: {kind: ArrowKind; label: string; unit: string}[] = [
  {kind: 'velocity', label: 'velocities', unit: 'm/s'},
  {kind: 'spin', label: 'angular velocities', unit: 'rad/s'},
  {kind: 'force', label: 'forces of loads and tendons', unit: 'N'},
  {kind: 'moment', label: 'moments of motors and loads', unit: 'N m'},
  {kind: 'reaction', label: 'reaction forces', unit: 'N'},
  {kind: 'reaction-moment', label: 'reaction moments', unit: 'N m'},
];

/** A vector of the run and where it is drawn, in world axes. */
export interface Source {
  at(moment: Moment): Vector;
  value(moment: Moment): Vector;
}

const SAMPLES = 200;

function components(result: Result, column: Column, first: number, flat: boolean, moment: Moment): Vector {
  const of = (i: number) => result.value(column, first + i, moment);
  return flat ? [of(0), of(1), 0] : [of(0), of(1), of(2)];
}

const turnOf = (result: Result, body: number, moment: Moment): Quaternion => (body < 0 ? [1, 0, 0, 0] : result.pose(body, moment).quaternion);
const norm = (v: Vector) => Math.hypot(...v);

function bodySources(result: Result, quantity: string, isSpin: boolean): Source[] {
  const flat = result.scene.dimension === 2;
  return result.scene.bodies.flatMap((body, i) => {
    const column = result.columns.find(`bodies/${linkName(body.name)}/${quantity}`);
    if (!column) return [];
    return [{
      at: (moment: Moment) => result.pose(i, moment).com,
      value: (moment: Moment): Vector => (flat && isSpin ? [0, 0, result.value(column, 0, moment)] : components(result, column, 0, flat, moment)),
    }];
  });
}

function jointPlace(result: Result, joint: Joint, moment: Moment): Vector {
  return result.worldPoint(joint.child, joint.in_child.position, moment);
}

/** In world axes from the record, or turned there from the child's. */
function reactionSources(result: Result, part: 'force' | 'moment'): Source[] {
  const flat = result.scene.dimension === 2;
  return result.scene.joints.flatMap((joint) => {
    if (joint.type === 'free') return [];
    const path = `joints/${linkName(joint.name)}`;
    const world = result.columns.find(`${path}/reaction_world`);
    const column = world ?? result.columns.find(`${path}/reaction`);
    if (!column) return [];
    const value = (moment: Moment): Vector => {
      const found: Vector = flat
        ? part === 'force' ? components(result, column, 1, true, moment) : [0, 0, result.value(column, 0, moment)]
        : components(result, column, part === 'force' ? 3 : 0, false, moment);
      return world ? found : rotate(turnOf(result, joint.child, moment), rotate(joint.in_child.quaternion, found));
    };
    return [{at: (moment: Moment) => jointPlace(result, joint, moment), value}];
  });
}

function loadSources(result: Result, kind: 'force' | 'moment'): Source[] {
  return (result.scene.loads ?? []).filter((load) => load.kind === kind).flatMap((load) => {
    const column = result.columns.find(`loads/${linkName(load.name)}/${kind}`);
    if (!column) return [];
    const at = kind === 'force' || load.body < 0 ? load.at : result.scene.bodies[load.body].com;
    return [{
      at: (moment: Moment) => result.worldPoint(load.body, at, moment),
      value: (moment: Moment): Vector => {
        const found = components(result, column, 0, false, moment);
        return load.in_body_axes ? rotate(turnOf(result, load.body, moment), found) : found;
      },
    }];
  });
}

/** The pull at either end of a tendon. */
function tendonSources(result: Result): Source[] {
  return result.scene.tendons.flatMap(({name, path}) => {
    if (path.length < 2) return []; // over joints
    const column = result.columns.find(`tendons/${linkName(name)}/tension`);
    if (!column) return [];
    const place = (i: number, moment: Moment) => result.worldPoint(path[i].body, path[i].at, moment);
    return [[0, 1], [path.length - 1, path.length - 2]].map(([end, next]) => ({
      at: (moment: Moment) => place(end, moment),
      value: (moment: Moment): Vector => {
        const [a, b] = [place(end, moment), place(next, moment)];
        const way: Vector = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        const pull = result.value(column, 0, moment) / (norm(way) || 1);
        return [pull * way[0], pull * way[1], pull * way[2]];
      },
    }));
  });
}

/** Efforts of motors about or along the axes of their joints. */
function motorSources(result: Result, slide: boolean): Source[] {
  const {joint_elements: elements = [], joints} = result.scene;
  return elements.filter(({kind}) => kind === 'motor').flatMap(({name, joint: index}) => {
    const joint = joints[index];
    const column = result.columns.find(`actuators/${linkName(name)}/effort`);
    if (!column || (joint.type === 'prismatic') !== slide) return [];
    return [{
      at: (moment: Moment) => jointPlace(result, joint, moment),
      value: (moment: Moment): Vector => {
        const axis = rotate(turnOf(result, joint.child, moment), rotate(joint.in_child.quaternion, [0, 0, 1]));
        const effort = result.value(column, 0, moment);
        return [effort * axis[0], effort * axis[1], effort * axis[2]];
      },
    }];
  });
}

export function sourcesOf(result: Result, kind: ArrowKind): Source[] {
  switch (kind) {
    case 'velocity': return bodySources(result, 'velocity', false);
    case 'spin': return bodySources(result, 'angular_velocity', true);
    case 'force': return [...loadSources(result, 'force'), ...tendonSources(result), ...motorSources(result, true)];
    case 'moment': return [...loadSources(result, 'moment'), ...motorSources(result, false)];
    case 'reaction': return reactionSources(result, 'force');
    case 'reaction-moment': return reactionSources(result, 'moment');
  }
}

/** Which kinds a result has anything for. */
export function arrowKinds(result: Result): ArrowKind[] {
  return ARROWS.map(({kind}) => kind).filter((kind) => sourcesOf(result, kind).length > 0);
}

/** The largest of the run. */
export function largest(result: Result, sources: Source[]): number {
  const stride = Math.max(1, Math.floor(result.frames / SAMPLES));
  let most = 0;
  for (let index = 0; index < result.frames; index += stride) {
    for (const source of sources) {
      const size = norm(source.value({index, fraction: 0}));
      if (Number.isFinite(size)) most = Math.max(most, size);
    }
  }
  return most;
}
