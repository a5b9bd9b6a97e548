// Bad URDF files: each is refused with exit status 2, file, line and reason.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "program.h"
#include "torsor/base/error.h"
#include "torsor/format/model_reader.h"

namespace torsor {
namespace {

struct BadUrdf {
  const char* name;
  std::string text;
  int line;
  const char* says;  ///< a part of the message
};

const std::string kLinks =
    "<robot name='r'>\n"
    "<link name='base'/>\n"
    "<link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
    "iyz='0'/></inertial></link>\n";

/// A joint from base to arm on lines 4 to 6, with more in it on line 5.
std::string joint(const std::string& type, const std::string& more) {
  return kLinks + "<joint name='j' type='" + type + "'><parent link='base'/><child link='arm'/>\n" + more +
         "\n</joint></robot>";
}

/// A link with an inertial element on line 2.
std::string inertial(const std::string& content) {
  return "<robot name='r'><link name='base'>\n<inertial>" + content + "</inertial></link></robot>";
}

std::string visual(const std::string& content) {
  return "<robot name='r'><link name='base'>\n<visual>" + content + "</visual></link></robot>";
}

const std::string kTensor = "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>";

std::vector<BadUrdf> bad_files() {
  return {
      {"empty", "", 1, "expected XML with a root element"},
      {"not_xml", "bodies: {}", 1, "nothing beside it"},
      {"open_root", "<robot name='r'>\n<link name='a'/>", 2, "well-formed XML"},
      {"crossed_tags", "<robot name='r'>\n<link name='a'>\n</robot></link>", 3, "well-formed XML"},
      {"open_tag", "<robot name='r'>\n<link name='a'", 2, "well-formed XML"},
      {"open_quote", "<robot name='r'>\n<link name='a/>\n</robot>", 2, "well-formed XML"},
      {"open_comment", "<robot name='r'>\n<!-- <link name='a'/></robot>", 2, "well-formed XML"},
      {"unquoted", "<robot name='r'>\n<link name=a/></robot>", 2, "well-formed XML"},
      {"attribute_twice", "<robot name='r'>\n<link name='a' name='b'/></robot>", 2, "every attribute once"},
      {"two_roots", "<robot name='r'><link name='a'/></robot>\n<robot/>", 2, "one root element"},
      {"text_after", "<robot name='r'><link name='a'/></robot>\nmore", 1, "nothing beside it"},
      {"doctype", "<!DOCTYPE robot>\n<robot name='r'/>", 1, "without DOCTYPE"},
      {"billion_laughs", "<!DOCTYPE r [\n<!ENTITY a 'b'>\n<!ENTITY c '&a;&a;'>]><robot name='&c;'/>", 1,
       "without DOCTYPE"},
      {"outer_entity", "\n<!DOCTYPE r [<!ENTITY a SYSTEM 'file:///etc/hostname'>]><robot name='&a;'/>", 2,
       "without DOCTYPE"},
      {"unknown_entity", "<robot name='r'>\n<link name='&nbsp;'/></robot>", 2, "only the entities"},
      {"control_character", "<robot name='r'>\n<link name='a\x02'/></robot>", 2, "the control character"},
      {"no_utf8", "<robot name='r'>\n<link name='\xC0\xAF'/></robot>", 2, "text in UTF-8"},
      {"too_deep",
       [] {
         std::string text = "<robot name='r'>";
         for (int i = 0; i < 300; ++i) text += "\n<a>";
         for (int i = 0; i < 300; ++i) text += "</a>";
         return text + "</robot>";
       }(),
       257, "at most 256 levels"},
      {"other_root", "\n<html/>", 2, "<robot> (URDF)"},
      {"misspelt_root", "<robto name='r'/>", 1, "did you mean 'robot'?"},
      {"sdf", "<sdf version='1.6'/>", 1, "SDF is not read"},
      {"xacro_element", "<robot name='r' xmlns:xacro='x'>\n<xacro:include filename='a'/></robot>", 1,
       "xacro FILE.xacro"},
      {"no_links", "<robot name='r'/>", 1, "expected links"},
      {"link_without_name", "<robot name='r'>\n<link/></robot>", 2, "the name of the link"},
      {"link_of_empty_name", "<robot name='r'>\n<link name=' '/></robot>", 2, "the name of the link"},
      {"link_twice", "<robot name='r'>\n<link name='a'/>\n<link name='a'/></robot>", 3, "every name once"},
      {"two_root_links", "<robot name='r'>\n<link name='a'/>\n<link name='b'/></robot>", 1, "one root link"},
      {"nothing_weighs", "<robot name='r'>\n<link name='a'/></robot>", 1, "a link with mass"},
      {"joint_without_name",
       kLinks + "<joint type='fixed'><parent link='base'/><child link='arm'/></joint></robot>", 4,
       "the name of the joint"},
      {"joint_without_type",
       kLinks + "<joint name='j'><parent link='base'/><child link='arm'/></joint></robot>", 4,
       "the type of the joint"},
      {"joint_of_unknown_type",
       kLinks + "<joint name='j'\n type='hinge'><parent link='base'/><child link='arm'/></joint></robot>", 5,
       "one of revolute, continuous"},
      {"joint_of_misspelt_type", joint("revolut", ""), 4, "did you mean 'revolute'?"},
      {"joint_twice",
       kLinks + "<joint name='j' type='fixed'><parent link='base'/><child link='arm'/></joint>\n<joint "
                "name='j' type='fixed'><parent link='arm'/><child link='base'/></joint></robot>",
       5, "every name once"},
      {"joint_without_parent", kLinks + "<joint name='j' type='fixed'><child link='arm'/></joint></robot>", 4,
       "<parent>"},
      {"joint_without_child", kLinks + "<joint name='j' type='fixed'><parent link='base'/></joint></robot>",
       4, "<child>"},
      {"joint_with_two_parents",
       kLinks + "<joint name='j' type='fixed'><parent link='base'/>\n<parent link='base'/><child "
                "link='arm'/></joint></robot>",
       5, "one <parent>"},
      {"parent_unknown",
       kLinks + "<joint name='j' type='fixed'>\n<parent link='bas'/><child link='arm'/></joint></robot>", 5,
       "did you mean 'base'?"},
      {"child_unknown",
       kLinks + "<joint name='j' type='fixed'><parent link='base'/>\n<child link='leg'/></joint></robot>", 5,
       "the name of a link"},
      {"parent_without_link",
       kLinks + "<joint name='j' type='fixed'>\n<parent/><child link='arm'/></joint></robot>", 5,
       "the attribute link"},
      {"child_of_two",
       kLinks + "<link name='c'/><joint name='j' type='fixed'><parent link='base'/><child "
                "link='arm'/></joint>\n<joint name='k' type='fixed'><parent link='c'/><child "
                "link='arm'/></joint></robot>",
       5, "URDF knows no loops"},
      {"circle",
       kLinks + "<joint name='j' type='fixed'><parent link='base'/><child link='arm'/></joint>\n<joint "
                "name='k' type='fixed'><parent link='arm'/><child link='base'/></joint></robot>",
       1, "one root link"},
      {"circle_beside_the_tree",
       "<robot name='r'><link name='a'/>\n<link name='b'/>\n<link name='c'/><joint name='j' "
       "type='fixed'><parent link='b'/><child link='c'/></joint><joint name='k' type='fixed'><parent "
       "link='c'/><child link='b'/></joint></robot>",
       2, "a circle of joints"},
      {"joint_on_itself",
       kLinks + "<joint name='j' type='fixed'><parent link='arm'/><child link='arm'/></joint></robot>", 3,
       "a circle of joints"},
      {"axis_zero", joint("revolute", "<axis xyz='0 0 0'/>"), 5, "an axis that is not zero"},
      {"axis_short", joint("revolute", "<axis xyz='0 1'/>"), 5, "3 numbers"},
      {"axis_without_xyz", joint("prismatic", "<axis/>"), 5, "the attribute xyz"},
      {"axis_no_number", joint("revolute", "<axis xyz='0 0 z'/>"), 5, "found 'z'"},
      {"axis_twice", joint("revolute", "<axis xyz='0 0 1'/><axis xyz='0 0 1'/>"), 5, "one <axis>"},
      {"origin_twice", joint("revolute", "<origin/><origin/>"), 5, "one <origin>"},
      {"origin_short", joint("revolute", "<origin xyz='1 2'/>"), 5, "3 numbers"},
      {"origin_long", joint("revolute", "<origin rpy='1 2 3 4'/>"), 5, "3 numbers"},
      {"origin_nan", joint("revolute", "<origin xyz='nan 0 0'/>"), 5, "found 'nan'"},
      {"origin_infinite", joint("revolute", "<origin xyz='0 inf 0'/>"), 5, "found 'inf'"},
      {"origin_overflow", joint("revolute", "<origin xyz='0 0 1e999'/>"), 5, "found '1e999'"},
      {"origin_comma", joint("revolute", "<origin xyz='1,0 0 0'/>"), 5, "found '1,0'"},
      {"limit_turned_round", joint("revolute", "<limit lower='1' upper='-1' effort='1' velocity='1'/>"), 5,
       "a lower limit"},
      {"limit_no_number", joint("revolute", "<limit lower='low' upper='1' effort='1' velocity='1'/>"), 5,
       "a number"},
      {"damping_negative", joint("revolute", "<dynamics damping='-1'/>"), 5, "a damping >= 0"},
      {"friction_negative", joint("revolute", "<dynamics friction='-1'/>"), 5, "a friction >= 0"},
      {"mimic_without_joint", joint("revolute", "<mimic multiplier='2'/>"), 5, "the attribute joint"},
      {"mimic_itself", joint("revolute", "<mimic joint='j'/>"), 5, "another joint than itself"},
      {"mimic_nobody", joint("revolute", "<mimic joint='k'/>"), 5, "--allow mimic"},
      {"mimic_zero",
       kLinks + "<link name='c'/><joint name='k' type='revolute'><parent link='base'/><child "
                "link='c'/></joint><joint name='j' type='revolute'><parent link='base'/><child "
                "link='arm'/>\n<mimic joint='k' multiplier='0'/></joint></robot>",
       5, "a multiplier that is not zero"},
      {"mass_missing", inertial(kTensor), 2, "<mass>"},
      {"mass_without_value", inertial("<mass/>" + kTensor), 2, "the attribute value"},
      {"mass_negative", inertial("<mass value='-1'/>" + kTensor), 2, "a mass >= 0"},
      {"mass_with_unit", inertial("<mass value='1 kg'/>" + kTensor), 2, "a number"},
      {"mass_twice", inertial("<mass value='1'/><mass value='1'/>" + kTensor), 2, "one <mass>"},
      {"inertia_missing", inertial("<mass value='1'/>"), 2, "<inertia>"},
      {"inertia_incomplete", inertial("<mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"), 2,
       "the attribute ixy"},
      {"inertia_no_number",
       inertial("<mass value='1'/>\n<inertia ixx='1' iyy='1' izz='i' ixy='0' ixz='0' iyz='0'/>"), 3,
       "a number"},
      {"inertial_twice",
       "<robot name='r'><link name='a'>\n<inertial><mass value='1'/>" + kTensor +
           "</inertial>\n<inertial/></link></robot>",
       3, "one <inertial>"},
      {"geometry_missing", visual("<origin/>"), 2, "<geometry>"},
      {"geometry_empty", visual("<geometry/>"), 2, "one of <box>"},
      {"geometry_double", visual("<geometry><box size='1 1 1'/><sphere radius='1'/></geometry>"), 2,
       "one of <box>"},
      {"geometry_unknown", visual("<geometry><spere radius='1'/></geometry>"), 2, "did you mean 'sphere'?"},
      {"box_without_size", visual("<geometry><box/></geometry>"), 2, "the attribute size"},
      {"box_negative", visual("<geometry><box size='1 -1 1'/></geometry>"), 2, "lengths >= 0"},
      {"cylinder_without_length", visual("<geometry><cylinder radius='1'/></geometry>"), 2,
       "the attribute length"},
      {"sphere_without_radius", visual("<geometry><sphere/></geometry>"), 2, "the attribute radius"},
      {"mesh_without_file", visual("<geometry><mesh/></geometry>"), 2, "a mesh file"},
      {"mesh_scale_zero", visual("<geometry><mesh filename='a.stl' scale='1 0 1'/></geometry>"), 2,
       "factors that are not zero"},
      {"mesh_scale_one_number", visual("<geometry><mesh filename='a.stl' scale='1'/></geometry>"), 2,
       "3 numbers"},
      {"color_short",
       visual("<geometry><sphere radius='1'/></geometry><material name='m'><color rgba='1 0 0'/></material>"),
       2, "4 numbers"},
      {"color_without_rgba",
       "<robot name='r'>\n<material name='m'><color/></material><link name='a'/></robot>", 2,
       "the attribute rgba"},
      {"material_without_name",
       "<robot name='r'>\n<material><color rgba='1 1 1 1'/></material><link name='a'/></robot>", 2,
       "the name of the material"},
  };
}

TEST(MalformedUrdf, IsRefusedWithFileLineAndReason) {
  const ScratchFolder folder;
  const std::vector<BadUrdf> files = bad_files();
  EXPECT_GE(files.size(), 60u);
  for (const BadUrdf& bad : files) {
    const std::string path = folder.file(std::string(bad.name) + ".urdf", bad.text);
    try {
      load_model(path);
      ADD_FAILURE() << bad.name << " was accepted";
    } catch (const ModelError& error) {
      EXPECT_EQ(error.file, path) << bad.name << ": " << error.what();
      EXPECT_EQ(error.line, bad.line) << bad.name << ": " << error.what();
      EXPECT_NE(std::string(error.what()).find(bad.says), std::string::npos)
          << bad.name << ": " << error.what();
      const Outcome outcome = run_program({"check", path});
      EXPECT_EQ(outcome.status, 2) << bad.name;
      EXPECT_NE(outcome.err.find(error.what()), std::string::npos) << bad.name << ": " << outcome.err;
    }
  }
}

}  // namespace
}  // namespace torsor
