#pragma once
// Parts of our JSON texts that stand for configurations of mechanisms, matrices and points. For sources only.

#include <Eigen/Core>
#include <span>

#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/result/json_parts.h"

namespace torsor {

/// Coordinates by joint: a number, or a list of several; joints without are left out.
Json json_of_coordinates(const Model& model, std::span<const double> q);
/// Names of rates.
std::vector<std::string> rate_names(const Model& model, const std::vector<int>& rates);
Json json_rows(const Eigen::MatrixXd& A);
Json json_list(const Eigen::VectorXd& x);
/// Named points and where they are in the world.
Json json_of_points(const ReducedMechanism& mechanism, std::span<const double> q);

}  // namespace torsor
