#include "torsor/tree/kinematics.hpp"

#include "torsor/tree/scalars.h"

namespace torsor {

bool is_ancestor(const Tree& tree, int ancestor, int node) {
  while (node > ancestor) node = tree.nodes[node].parent;
  return node == ancestor;
}

template void node_poses<double>(const TreeOf<double>&, std::span<const double>, std::span<Pose<double>>);
template void forward_kinematics<double>(const TreeOf<double>&, std::span<const double>,
                                         std::span<const double>, std::span<Pose<double>>,
                                         std::span<Twist<double>>);
template void spatial_joint_screws<double>(const TreeOf<double>&, std::span<const Pose<double>>,
                                           std::span<Twist<double>>);

template void node_poses<Pack4>(const TreeOf<double>&, std::span<const Pack4>, std::span<Pose<Pack4>>);
template void forward_kinematics<Pack4>(const TreeOf<double>&, std::span<const Pack4>, std::span<const Pack4>,
                                        std::span<Pose<Pack4>>, std::span<Twist<Pack4>>);
template void spatial_joint_screws<Pack4>(const TreeOf<double>&, std::span<const Pose<Pack4>>,
                                          std::span<Twist<Pack4>>);

template void node_poses<Pack8>(const TreeOf<double>&, std::span<const Pack8>, std::span<Pose<Pack8>>);
template void forward_kinematics<Pack8>(const TreeOf<double>&, std::span<const Pack8>, std::span<const Pack8>,
                                        std::span<Pose<Pack8>>, std::span<Twist<Pack8>>);
template void spatial_joint_screws<Pack8>(const TreeOf<double>&, std::span<const Pose<Pack8>>,
                                          std::span<Twist<Pack8>>);

}  // namespace torsor
