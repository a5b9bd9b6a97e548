#pragma once
// Which elements MJCF has within which, and their attributes: what MuJoCo 4 prints of its schema, and what older files have.

namespace torsor::mjcf {

struct SchemaRow {
  const char *parent, *element, *attributes;  ///< the latter parted by blanks
};

inline constexpr SchemaRow kSchema[] = {
    {"mujoco", "compiler",
     "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict convexhull "
     "coordinate discardvisual eulerseq exactmeshinertia fitaabb fusestatic inertiafromgeom "
     "inertiagrouprange meshdir passthrough savecanonical savecompiled saveinertial settotalmass "
     "strippath texturedir usethread"},
    {"mujoco", "option",
     "actuatorgroupdisable apirate ccd_iterations ccd_tolerance collision cone density gravity "
     "impratio integrator iterations jacobian ls_iterations ls_tolerance magnetic mpr_iterations "
     "mpr_tolerance noslip_iterations noslip_tolerance o_friction o_margin o_solimp o_solref "
     "sdf_initpoints sdf_iterations sleep_tolerance solver timestep tolerance viscosity wind"},
    {"mujoco", "size",
     "memory nconmax njmax nkey nstack nuser_actuator nuser_body nuser_cam nuser_geom nuser_jnt "
     "nuser_sensor nuser_site nuser_tendon nuserdata"},
    {"mujoco", "statistic",
     "center extent meaninertia meanmass meansize"},
    {"mujoco", "visual",
     ""},
    {"mujoco", "default",
     "class"},
    {"mujoco", "extension",
     ""},
    {"mujoco", "asset",
     ""},
    {"mujoco", "body",
     "axisangle childclass euler fuse gravcomp mocap name pos quat simple sleep user xyaxes zaxis"},
    {"mujoco", "deformable",
     ""},
    {"mujoco", "contact",
     ""},
    {"mujoco", "tendon",
     ""},
    {"mujoco", "equality",
     ""},
    {"mujoco", "actuator",
     ""},
    {"mujoco", "sensor",
     ""},
    {"mujoco", "custom",
     ""},
    {"mujoco", "keyframe",
     ""},
    {"compiler", "lengthrange",
     "accel interval inttotal maxforce mode timeconst timestep tolrange useexisting uselimit"},
    {"option", "flag",
     "actuation autoreset clampctrl constraint contact damper diagexact energy equality eulerdamp "
     "filterparent frictionloss fwdinv gravity invdiscrete ipc island limit midphase multiccd "
     "nativeccd override passive refsafe sensor sleep speculative spring warmstart"},
    {"visual", "global",
     "azimuth bvactive cameraid elevation ellipsoidinertia fovy glow ipd linewidth offheight offwidth "
     "orthographic realtime"},
    {"visual", "quality",
     "numquads numslices numstacks offsamples shadowsize"},
    {"visual", "headlight",
     "active ambient diffuse specular"},
    {"visual", "map",
     "actuatortendon alpha fogend fogstart force haze shadowclip shadowscale stiffness stiffnessrot "
     "torque zfar znear"},
    {"visual", "scale",
     "actuatorlength actuatorwidth camera com connect constraint contactheight contactwidth "
     "forcewidth framelength framewidth frustum jointlength jointwidth light selectpoint slidercrank"},
    {"visual", "rgba",
     "actuator actuatornegative actuatorpositive bv bvactive camera com connect constraint "
     "contactforce contactfriction contactgap contactpoint contacttorque crankbroken fog force "
     "frustum haze inertia joint light rangefinder selectpoint slidercrank"},
    {"default", "mesh",
     "inertia maxhullvert scale"},
    {"default", "texture",
     "builtin colorspace embed gridlayout gridsize height hflip mark markrgb nchannel random rgb1 "
     "rgb2 type vflip width"},
    {"default", "material",
     "emission metallic reflectance rgba roughness shininess specular texrepeat texture texuniform"},
    {"default", "joint",
     "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis damping frictionloss group "
     "limited margin pos range ref solimpfriction solimplimit solreffriction solreflimit springdamper "
     "springref springyield stiffness type user"},
    {"default", "geom",
     "adhesion axisangle castshadow conaffinity condim contype density euler fitscale fluidcoef "
     "fluidshape friction fromto gap group hfield margin mass material mesh pos priority quat rgba "
     "shellinertia size solimp solmix solref surfacevel type user xyaxes zaxis"},
    {"default", "site",
     "axisangle euler fromto group material mesh pos quat rgba size type user xyaxes zaxis"},
    {"default", "camera",
     "axisangle euler focal focalpixel fovy ipd mode output pos principal principalpixel projection "
     "quat resolution sensorsize user xyaxes zaxis"},
    {"default", "light",
     "active ambient attenuation bulbradius castshadow cutoff diffuse dir directional exponent "
     "intensity mode pos range softness specular type"},
    {"default", "pair",
     "adhesion condim friction gap margin solimp solref solreffriction"},
    {"default", "equality",
     "active solimp solref"},
    {"default", "tendon",
     "actuatorfrclimited actuatorfrcrange armature damping frictionloss group limited margin material "
     "range rgba solimpfriction solimplimit solreffriction solreflimit springlength springyield "
     "stiffness user width"},
    {"default", "general",
     "actdim actearly actlimited actrange armature biasprm biastype cranklength ctrllimited ctrlrange "
     "damping delay dynprm dyntype ffrange forcelimited forcerange gainprm gaintype gear group "
     "inheritrange input interp nsample user velrange"},
    {"default", "motor",
     "armature cranklength ctrllimited ctrlrange damping delay forcelimited forcerange gear group "
     "interp nsample user"},
    {"default", "position",
     "armature cranklength ctrllimited ctrlrange damping dampratio delay forcelimited forcerange gear "
     "group inheritrange interp kp kv nsample timeconst user"},
    {"default", "velocity",
     "armature cranklength ctrllimited ctrlrange damping delay forcelimited forcerange gear group "
     "interp kv nsample user"},
    {"default", "intvelocity",
     "actlimited actrange armature cranklength ctrllimited ctrlrange damping dampratio delay "
     "forcelimited forcerange gear group inheritrange interp kp kv nsample user"},
    {"default", "orientation",
     "ctrlrange dampratio delay forcelimited forcerange group input interp kp kv nsample user"},
    {"default", "pid",
     "armature cranklength ctrllimited ctrlrange damping dampratio delay ffrange forcelimited "
     "forcerange gear group imax inheritrange input interp ki kp kv nsample posrange slewmax user "
     "velrange"},
    {"default", "damper",
     "armature cranklength ctrlrange damping delay forcelimited forcerange gear group interp kv "
     "nsample user"},
    {"default", "cylinder",
     "area armature bias cranklength ctrllimited ctrlrange damping delay diameter forcelimited "
     "forcerange gear group interp nsample timeconst user"},
    {"default", "muscle",
     "armature cranklength ctrllimited ctrlrange damping delay force forcelimited forcerange fpmax "
     "fvmax gear group interp lmax lmin nsample range scale timeconst user vmax"},
    {"default", "adhesion",
     "ctrlrange delay forcelimited forcerange gain group interp nsample user"},
    {"default", "dcmotor",
     "armature cogging controller cranklength ctrllimited ctrlrange damping delay gear group "
     "inductance input interp lugre motorconst nominal nsample resistance saturation thermal user"},
    {"default", "default",
     "class"},
    {"material", "layer",
     "role texture"},
    {"extension", "plugin",
     "plugin"},
    {"plugin", "instance",
     "name"},
    {"plugin", "config",
     "key value"},
    {"instance", "config",
     "key value"},
    {"asset", "mesh",
     "builtin class content_type face file inertia material maxhullvert name normal params refpos "
     "refquat scale smoothnormal texcoord vertex"},
    {"asset", "hfield",
     "content_type elevation file name ncol nrow size"},
    {"asset", "skin",
     "face file group inflate material name rgba texcoord vertex"},
    {"asset", "texture",
     "builtin class colorspace content_type embed file fileback filedown filefront fileleft fileright "
     "fileup gridlayout gridsize height hflip mark markrgb name nchannel random rgb1 rgb2 type vflip "
     "width"},
    {"asset", "material",
     "class emission metallic name reflectance rgba roughness shininess specular texrepeat texture "
     "texuniform"},
    {"asset", "model",
     "content_type file name"},
    {"mesh", "plugin",
     "instance plugin"},
    {"skin", "bone",
     "bindpos bindquat body vertid vertweight"},
    {"body", "inertial",
     "axisangle diaginertia euler fullinertia mass pos quat xyaxes zaxis"},
    {"body", "joint",
     "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis class damping frictionloss "
     "group limited margin name pos range ref solimpfriction solimplimit solreffriction solreflimit "
     "springdamper springref springyield stiffness type user"},
    {"body", "freejoint",
     "align group name"},
    {"body", "geom",
     "adhesion axisangle castshadow class conaffinity condim contype density euler fitscale fluidcoef "
     "fluidshape friction fromto gap group hfield margin mass material mesh name pos priority quat "
     "rgba shellinertia size solimp solmix solref surfacevel type user xyaxes zaxis"},
    {"body", "attach",
     "body frame model prefix"},
    {"body", "site",
     "axisangle class euler fromto group material mesh name pos quat rgba size type user xyaxes zaxis"},
    {"body", "camera",
     "axisangle class euler focal focalpixel fovy ipd mode name output pos principal principalpixel "
     "projection quat resolution sensorsize target user xyaxes zaxis"},
    {"body", "light",
     "active ambient attenuation bulbradius castshadow class cutoff diffuse dir directional exponent "
     "intensity mode name pos range softness specular target texture type"},
    {"body", "plugin",
     "instance plugin"},
    {"body", "flexcomp",
     "axisangle cellcount count dim dof element euler file flatskin group inertiabox mass material "
     "mesh name origin point pos quat radius rgba rigid scale spacing texcoord type xyaxes zaxis"},
    {"body", "frame",
     "axisangle childclass euler name pos quat xyaxes zaxis"},
    {"body", "replicate",
     "childclass count euler offset sep"},
    {"body", "composite",
     "count curve initial offset prefix quat size spacing type vertex"},
    {"body", "body",
     "axisangle childclass euler fuse gravcomp mocap name pos quat simple sleep user xyaxes zaxis"},
    {"geom", "plugin",
     "instance plugin"},
    {"flexcomp", "edge",
     "damping equality solimp solref stiffness"},
    {"flexcomp", "elasticity",
     "damping elastic2d poisson section sectionsize shear thickness yield young"},
    {"flexcomp", "contact",
     "activelayers conaffinity condim contype friction gap margin passive priority selfcollide solimp "
     "solmix solref"},
    {"flexcomp", "pin",
     "grid gridrange id range"},
    {"flexcomp", "plugin",
     "instance plugin"},
    {"deformable", "flex",
     "body cellcount dim dof element elemtexcoord flatskin group material name node nodecoord radius "
     "rgba texcoord vertex"},
    {"deformable", "skin",
     "face file group inflate material name rgba texcoord vertex"},
    {"flex", "contact",
     "activelayers conaffinity condim contype friction gap margin passive priority selfcollide solimp "
     "solmix solref"},
    {"flex", "edge",
     "damping stiffness"},
    {"flex", "elasticity",
     "damping elastic2d poisson section sectionsize shear thickness yield young"},
    {"contact", "pair",
     "adhesion class condim friction gap geom1 geom2 margin name solimp solref solreffriction"},
    {"contact", "exclude",
     "body1 body2 name"},
    {"tendon", "spatial",
     "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group limited margin "
     "material name range rgba solimpfriction solimplimit solreffriction solreflimit springlength "
     "springyield stiffness user width"},
    {"tendon", "fixed",
     "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group limited margin "
     "name range solimpfriction solimplimit solreffriction solreflimit springlength springyield "
     "stiffness user"},
    {"spatial", "site",
     "site"},
    {"spatial", "geom",
     "geom sidesite"},
    {"spatial", "pulley",
     "divisor"},
    {"fixed", "joint",
     "coef joint"},
    {"equality", "connect",
     "active anchor body1 body2 class name site1 site2 solimp solref"},
    {"equality", "weld",
     "active anchor body1 body2 class name relpose site1 site2 solimp solref torquescale"},
    {"equality", "joint",
     "active class joint1 joint2 name polycoef solimp solref"},
    {"equality", "tendon",
     "active class name polycoef solimp solref tendon1 tendon2"},
    {"equality", "flex",
     "active class flex name solimp solref"},
    {"equality", "flexstrain",
     "active cell class flex name solimp solref"},
    {"actuator", "general",
     "actdim actearly actlimited actrange armature biasprm biastype body class cranklength cranksite "
     "ctrllimited ctrlrange damping delay dynprm dyntype ffrange forcelimited forcerange gainprm "
     "gaintype gear group inheritrange input interp joint jointinparent lengthrange name nsample "
     "refsite site slidersite tendon user velrange"},
    {"actuator", "motor",
     "armature class cranklength cranksite ctrllimited ctrlrange damping delay forcelimited "
     "forcerange gear group interp joint jointinparent lengthrange name nsample refsite site "
     "slidersite tendon user"},
    {"actuator", "position",
     "armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay forcelimited "
     "forcerange gear group inheritrange interp joint jointinparent kp kv lengthrange name nsample "
     "refsite site slidersite tendon timeconst user"},
    {"actuator", "velocity",
     "armature class cranklength cranksite ctrllimited ctrlrange damping delay forcelimited "
     "forcerange gear group interp joint jointinparent kv lengthrange name nsample refsite site "
     "slidersite tendon user"},
    {"actuator", "intvelocity",
     "actlimited actrange armature class cranklength cranksite ctrllimited ctrlrange damping "
     "dampratio delay forcelimited forcerange gear group inheritrange interp joint jointinparent kp "
     "kv lengthrange name nsample refsite site slidersite tendon user"},
    {"actuator", "orientation",
     "class ctrlrange dampratio delay forcelimited forcerange group input interp joint kp kv name "
     "nsample refsite site user"},
    {"actuator", "pid",
     "armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay ffrange "
     "forcelimited forcerange gear group imax inheritrange input interp joint jointinparent ki kp kv "
     "lengthrange name nsample posrange refsite site slewmax slidersite tendon user velrange"},
    {"actuator", "damper",
     "armature class cranklength cranksite ctrlrange damping delay forcelimited forcerange gear group "
     "interp joint jointinparent kv lengthrange name nsample refsite site slidersite tendon user"},
    {"actuator", "cylinder",
     "area armature bias class cranklength cranksite ctrllimited ctrlrange damping delay diameter "
     "forcelimited forcerange gear group interp joint jointinparent lengthrange name nsample refsite "
     "site slidersite tendon timeconst user"},
    {"actuator", "muscle",
     "armature class cranklength cranksite ctrllimited ctrlrange damping delay force forcelimited "
     "forcerange fpmax fvmax gear group interp joint jointinparent lengthrange lmax lmin name nsample "
     "range scale slidersite tausmooth tendon timeconst user vmax"},
    {"actuator", "adhesion",
     "body class ctrlrange delay forcelimited forcerange gain group interp name nsample user"},
    {"actuator", "dcmotor",
     "armature class cogging controller cranklength cranksite ctrllimited ctrlrange damping delay "
     "gear group inductance input interp joint jointinparent lengthrange lugre motorconst name "
     "nominal nsample refsite resistance saturation site slidersite tendon thermal user"},
    {"actuator", "plugin",
     "actdim actearly actlimited actrange armature class cranklength cranksite ctrllimited ctrlrange "
     "damping delay dynprm dyntype forcelimited forcerange gear group instance interp joint "
     "jointinparent lengthrange name nsample plugin site slidersite tendon user"},
    {"sensor", "touch",
     "cutoff delay interp interval name noise nsample site user"},
    {"sensor", "accelerometer",
     "cutoff delay interp interval name noise nsample site user"},
    {"sensor", "velocimeter",
     "cutoff delay interp interval name noise nsample site user"},
    {"sensor", "gyro",
     "cutoff delay interp interval name noise nsample site user"},
    {"sensor", "force",
     "cutoff delay interp interval name noise nsample site user"},
    {"sensor", "torque",
     "cutoff delay interp interval name noise nsample site user"},
    {"sensor", "magnetometer",
     "cutoff delay interp interval name noise nsample site user"},
    {"sensor", "camprojection",
     "camera cutoff delay interp interval name noise nsample site user"},
    {"sensor", "rangefinder",
     "camera cutoff data delay interp interval name noise nsample site user"},
    {"sensor", "jointpos",
     "cutoff delay interp interval joint name noise nsample user"},
    {"sensor", "jointvel",
     "cutoff delay interp interval joint name noise nsample user"},
    {"sensor", "tendonpos",
     "cutoff delay interp interval name noise nsample tendon user"},
    {"sensor", "tendonvel",
     "cutoff delay interp interval name noise nsample tendon user"},
    {"sensor", "actuatorpos",
     "actuator cutoff delay interp interval name noise nsample user"},
    {"sensor", "actuatorvel",
     "actuator cutoff delay interp interval name noise nsample user"},
    {"sensor", "actuatorfrc",
     "actuator cutoff delay interp interval name noise nsample user"},
    {"sensor", "jointactuatorfrc",
     "cutoff delay interp interval joint name noise nsample user"},
    {"sensor", "tendonactuatorfrc",
     "cutoff delay interp interval name noise nsample tendon user"},
    {"sensor", "ballquat",
     "cutoff delay interp interval joint name noise nsample user"},
    {"sensor", "ballangvel",
     "cutoff delay interp interval joint name noise nsample user"},
    {"sensor", "jointlimitpos",
     "cutoff delay interp interval joint name noise nsample user"},
    {"sensor", "jointlimitvel",
     "cutoff delay interp interval joint name noise nsample user"},
    {"sensor", "jointlimitfrc",
     "cutoff delay interp interval joint name noise nsample user"},
    {"sensor", "tendonlimitpos",
     "cutoff delay interp interval name noise nsample tendon user"},
    {"sensor", "tendonlimitvel",
     "cutoff delay interp interval name noise nsample tendon user"},
    {"sensor", "tendonlimitfrc",
     "cutoff delay interp interval name noise nsample tendon user"},
    {"sensor", "framepos",
     "cutoff delay interp interval name noise nsample objname objtype refname reftype user"},
    {"sensor", "framequat",
     "cutoff delay interp interval name noise nsample objname objtype refname reftype user"},
    {"sensor", "framexaxis",
     "cutoff delay interp interval name noise nsample objname objtype refname reftype user"},
    {"sensor", "frameyaxis",
     "cutoff delay interp interval name noise nsample objname objtype refname reftype user"},
    {"sensor", "framezaxis",
     "cutoff delay interp interval name noise nsample objname objtype refname reftype user"},
    {"sensor", "framelinvel",
     "cutoff delay interp interval name noise nsample objname objtype refname reftype user"},
    {"sensor", "frameangvel",
     "cutoff delay interp interval name noise nsample objname objtype refname reftype user"},
    {"sensor", "framelinacc",
     "cutoff delay interp interval name noise nsample objname objtype user"},
    {"sensor", "frameangacc",
     "cutoff delay interp interval name noise nsample objname objtype user"},
    {"sensor", "subtreecom",
     "body cutoff delay interp interval name noise nsample user"},
    {"sensor", "subtreelinvel",
     "body cutoff delay interp interval name noise nsample user"},
    {"sensor", "subtreeangmom",
     "body cutoff delay interp interval name noise nsample user"},
    {"sensor", "insidesite",
     "cutoff delay enclosed interp interval name noise nsample objname objtype site user"},
    {"sensor", "distance",
     "body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user"},
    {"sensor", "normal",
     "body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user"},
    {"sensor", "fromto",
     "body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user"},
    {"sensor", "contact",
     "body1 body2 cutoff data delay geom1 geom2 interp interval name noise nsample num reduce site "
     "subtree1 subtree2 user"},
    {"sensor", "e_potential",
     "cutoff delay interp interval name noise nsample user"},
    {"sensor", "e_kinetic",
     "cutoff delay interp interval name noise nsample user"},
    {"sensor", "clock",
     "cutoff delay interp interval name noise nsample user"},
    {"sensor", "tactile",
     "cutoff delay geom interp interval mesh name nsample user"},
    {"sensor", "user",
     "cutoff datatype dim name needstage noise objname objtype user"},
    {"sensor", "plugin",
     "cutoff instance name objname objtype plugin refname reftype user"},
    {"custom", "numeric",
     "data name size"},
    {"custom", "text",
     "data name"},
    {"custom", "tuple",
     "name"},
    {"tuple", "element",
     "objname objtype prm"},
    {"keyframe", "key",
     "act ctrl mpos mquat name plastic qpos qvel time"},
    {"", "mujoco",
     "model"},
};

}  // namespace torsor::mjcf
