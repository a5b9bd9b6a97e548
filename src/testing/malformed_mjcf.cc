#include "testing/malformed_mjcf.h"

namespace torsor {

std::vector<MalformedMjcf> malformed_mjcf() {
  const std::string ok = "<body><joint name='h'/><geom size='.1'/></body>";
  const auto body = [&](const std::string& inner) {
    return "<mujoco><worldbody>\n<body><joint name='h'/>\n" + inner +
           "<geom size='.1'/></body></worldbody></mujoco>";
  };
  const auto beside = [&](const std::string& inner) {
    return "<mujoco><worldbody>" + ok + "</worldbody>\n" + inner + "</mujoco>";
  };
  return {
      {"nothing moves", "<mujoco>\n<worldbody/></mujoco>", 1, "bodies that move"},
      {"only welded bodies", "<mujoco><worldbody><body/></worldbody></mujoco>", 1, "bodies without joints"},
      {"an unknown section", beside("<actuators/>"), 2, "did you mean"},
      {"an unknown element", body("<goem/>"), 3, "did you mean 'geom'"},
      {"an unknown attribute", body("<geom sise='.1'/>"), 3, "did you mean 'size'"},
      {"an attribute of the root", "<mujoco modle='a'/>", 1, "model"},
      {"an unknown class", body("<geom class='no'/>"), 3, "default class"},
      {"an unknown childclass", "<mujoco><worldbody>\n<body childclass='no'/></worldbody></mujoco>", 2,
       "default class"},
      {"a class twice", beside("<default><default class='a'/>\n<default class='a'/></default>"), 3,
       "each class once"},
      {"a class without a name", beside("<default>\n<default/></default>"), 3, "name of a class"},
      {"a type of geom", body("<geom type='cube' size='1'/>"), 3, "one of"},
      {"a geom without size", body("<geom type='box' size='1 1'/>"), 3, "size > 0"},
      {"a negative size", body("<geom size='-1'/>"), 3, "size > 0"},
      {"a negative mass", body("<geom size='1' mass='-1'/>"), 3, "mass >= 0"},
      {"a negative density", body("<geom size='1' density='-1'/>"), 3, "density >= 0"},
      {"words for numbers", body("<geom size='one'/>"), 3, "numbers"},
      {"too many numbers", body("<geom size='1 2 3 4'/>"), 3, "numbers"},
      {"no number", body("<geom size='nan'/>"), 3, "numbers"},
      {"fromto of a sphere", body("<geom size='1' fromto='0 0 0 1 0 0'/>"), 3, "capsule"},
      {"fromto of one point", body("<geom type='capsule' size='1' fromto='0 0 0 0 0 0'/>"), 3, "two points"},
      {"two orientations", body("<geom size='1' quat='1 0 0 0' euler='1 0 0'/>"), 3, "one of quat"},
      {"a zero quaternion", body("<geom size='1' quat='0 0 0 0'/>"), 3, "not zero"},
      {"a zero axis", body("<joint name='k' axis='0 0 0'/>"), 3, "direction"},
      {"a name twice", body("<joint name='h'/>"), 3, "each name once"},
      {"a free joint beside others", body("<freejoint/>"), 3, "alone"},
      {"a free joint on a body", body("<body><freejoint/><geom size='1'/></body>"), 3, "of the world"},
      {"a joint of the world", "<mujoco><worldbody>\n<joint/></worldbody></mujoco>", 2, "of a body"},
      {"a range that decreases", body("<joint name='k' limited='true' range='1 0'/>"), 3, "increase"},
      {"limited without range", body("<joint name='k' limited='true'/>"), 3, "range"},
      {"negative stiffness", body("<joint name='k' stiffness='-1'/>"), 3, ">= 0"},
      {"a joint type", body("<joint name='k' type='universal'/>"), 3, "one of"},
      {"an unknown mesh", body("<geom type='mesh' mesh='no'/>"), 3, "name of a mesh"},
      {"a mesh file that is not there",
       beside("<asset><mesh name='m' file='no.stl'/></asset><worldbody><body><freejoint/><geom type='mesh' "
              "mesh='m'/></body></worldbody>"),
       2, "no file"},
      {"a mesh without vertices", beside("<asset>\n<mesh name='m'/></asset>"), 3, "file or vertices"},
      {"faces of a mesh",
       beside("<asset>\n<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 9'/></asset>"), 3,
       "numbers of vertices"},
      {"the hull of a plane",
       beside("<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 1 1 "
              "0'/></asset>\n<worldbody><body><freejoint/><geom "
              "type='mesh' mesh='m'/></body></worldbody>"),
       3, "a mesh with a volume"},
      {"faces of two corners",
       beside("<asset>\n<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 2 0'/></asset>"), 3,
       "three vertices"},
      {"global coordinates", beside("<compiler coordinate='global'/>"), 2, "local"},
      {"an angle unit", beside("<compiler angle='turns'/>"), 2, "one of"},
      {"a sequence", beside("<compiler eulerseq='xyw'/>"), 2, "three of"},
      {"fluid", beside("<option density='1000'/>"), 2, "--allow fluid"},
      {"a timestep", beside("<option timestep='0'/>"), 2, "time > 0"},
      {"an integrator", beside("<option integrator='euler'/>"), 2, "Euler"},
      {"an actuator of no joint", beside("<actuator>\n<motor joint='no'/></actuator>"), 3, "name of a joint"},
      {"an actuator of no tendon", beside("<actuator>\n<motor tendon='no'/></actuator>"), 3,
       "name of a tendon"},
      {"an actuator of nothing", beside("<actuator>\n<motor/></actuator>"), 3, "--allow actuators"},
      {"positive feedback",
       beside("<actuator>\n<general joint='h' biastype='affine' biasprm='0 1 0'/></actuator>"), 3,
       "no positive feedback"},
      {"a dcmotor", beside("<actuator>\n<dcmotor joint='h'/></actuator>"), 3, "--allow actuators"},
      {"a muscle without its range of lengths", beside("<actuator>\n<muscle joint='h'/></actuator>"), 3,
       "--allow muscles"},
      {"kv and dampratio", beside("<actuator>\n<position joint='h' kv='1' dampratio='1'/></actuator>"), 3,
       "either kv or dampratio"},
      {"an equality of no body", beside("<equality>\n<weld body1='no'/></equality>"), 3, "name of a body"},
      {"a connect of no body", beside("<equality>\n<connect body1='no' anchor='0 0 0'/></equality>"), 3,
       "name of a body"},
      {"a nonlinear coupling", beside("<equality>\n<joint joint1='h' polycoef='0 0 1 0 0'/></equality>"), 3,
       "--allow polynomials"},
      {"a tendon of one site", beside("<tendon>\n<spatial/></tendon>"), 3, "a path"},
      {"a tendon of no joint", beside("<tendon><fixed>\n<joint joint='no' coef='1'/></fixed></tendon>"), 3,
       "name of a joint"},
      {"a pulley", beside("<tendon><spatial>\n<pulley divisor='2'/></spatial></tendon>"), 3, "pulley"},
      {"a keyframe of others", beside("<keyframe>\n<kye/></keyframe>"), 3, "did you mean 'key'"},
      {"a replicate without count", "<mujoco><worldbody>\n<replicate/></worldbody></mujoco>", 2, "count"},
      {"a flex", body("<flexcomp name='f'/>"), 3, "--allow elements"},
      {"an inertia that no body has",
       "<mujoco><worldbody>\n<body><freejoint/><inertial mass='1' pos='0 0 0' diaginertia='1 1 "
       "5'/></body></worldbody></mujoco>",
       2, "principal moments"},
      {"a body without mass", "<mujoco><worldbody>\n<body><freejoint/></body></worldbody></mujoco>", 2,
       "mass"},
      {"an include with more", beside("<include file='a' prefix='b'/>"), 2, "`file` alone"},
  };
}

}  // namespace torsor
