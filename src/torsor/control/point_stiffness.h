#pragma once
// The stiffness that a point of an elastic mechanism shows: its stiffness ellipse.

#include <optional>
#include <vector>

#include "torsor/numerics/matrix.h"

namespace torsor {

/// The force that holds a small displacement u of the point is stiffness * u; over all u of length 1 it fills
/// an ellipse (in space an ellipsoid).
struct PointStiffness {
  Matrix stiffness;               ///< K_x, symmetric [N/m]
  std::vector<double> semi_axes;  ///< its eigenvalues, increasing; negative where the springs push away [N/m]
  Matrix directions;              ///< unit vectors of the semi-axes as columns
};

/// The energy u^T K_x u / 2 is the least of q^T K_q q / 2 over all q with J q = u:
///   K_x = J^-T K_q J^-1 for a square J,  K_x = (J K_q^-1 J^T)^-1 where K_q is regular,
/// and what is left free costs nothing. `jacobian` is that of the point, `stiffness` the second derivative of
/// the elastic energy. Empty where the coordinates cannot move the point in every direction.
std::optional<PointStiffness> point_stiffness(const Matrix& jacobian, const Matrix& stiffness);

}  // namespace torsor
