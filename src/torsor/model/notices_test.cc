#include "torsor/model/notices.h"

#include <gtest/gtest.h>

namespace torsor {
namespace {

/// Two bodies, one hinged to the other.
ModelDescription pair_of(double first_com, double second_com, double hinge) {
  ModelDescription d;
  d.dimension = 2;
  d.bodies = {{"first", 1, {first_com, 0, 0}, {0, 0, 1, 0, 0, 0}, {}, {}},
              {"second", 1, {second_com, 0, 0}, {0, 0, 1, 0, 0, 0}, {}, {}}};
  d.joints.resize(1);
  d.joints[0].name = "hinge", d.joints[0].parent = 0, d.joints[0].child = 1;
  d.joints[0].in_parent.position = {hinge, 0, 0};
  return d;
}
std::size_t count_of(const ModelDescription& d) { return notices_of(Model(d)).size(); }

TEST(Notices, NameACentreOfMassThatIsFarBesideAllOtherLengths) {
  const std::vector<std::string> found = notices_of(Model(pair_of(500, 0.3, 1)));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0],
            "bodies.first.com: 499 m from the body's frame, joints and points; no other length of the model "
            "exceeds "
            "1 m. Metres?");
  EXPECT_EQ(count_of(pair_of(0.3, 500, 1)), 1u);
}

TEST(Notices, AreNotMadeOfLargeMechanisms) {
  EXPECT_EQ(count_of(pair_of(0.3, 0.3, 1)), 0u);
  EXPECT_EQ(count_of(pair_of(40, 0.3, 0.1)), 0u);   // not far by itself
  EXPECT_EQ(count_of(pair_of(500, 0.3, 10)), 0u);   // nor beside a fiftieth of it
  EXPECT_EQ(count_of(pair_of(500, 500, 1)), 0u);    // two of them: each is a length to the other
  EXPECT_EQ(count_of(pair_of(500, 0.3, 500)), 0u);  // a joint is there
}

}  // namespace
}  // namespace torsor
