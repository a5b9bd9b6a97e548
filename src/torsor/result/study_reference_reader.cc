#include "torsor/result/study_reference_reader.h"

#include <vector>

#include "torsor/base/error.h"
#include "torsor/result/hdf5_reader.h"

namespace torsor {
namespace {

/// In the plane vectors have two components and turns one.
Vec3<double> vector_at(const Hdf5Reader::Table& table, int row) {
  return {table.at(row, 0), table.at(row, 1), table.columns > 2 ? table.at(row, 2) : 0};
}

/// Of one body, as they stand in the file.
struct BodyTables {
  Hdf5Reader::Table com, velocity, spin, turn;
};

BodyTables read_body(const Hdf5Reader& file, const std::string& folder, int dimension, int rows,
                     const std::string& path) {
  const bool planar = dimension == 2;
  BodyTables body{file.table(folder + "com"), file.table(folder + "velocity"),
                  file.table(folder + "angular_velocity"),
                  file.table(folder + (planar ? "angle" : "quaternion"))};
  const auto fits = [&](const Hdf5Reader::Table& table, int columns) {
    return table.rows == rows && table.columns == columns;
  };
  if (!(fits(body.com, dimension) && fits(body.velocity, dimension) && fits(body.spin, planar ? 1 : 3) &&
        fits(body.turn, planar ? 1 : 4))) {
    throw ModelError(folder, "as many numbers as this model has", "others", path);
  }
  return body;
}

BodyObservation observed(const BodyTables& tables, int row, bool planar) {
  BodyObservation body;
  body.com = vector_at(tables.com, row);
  body.velocity = vector_at(tables.velocity, row);
  if (planar) {
    body.angle = tables.turn.at(row);
    body.rotation = exp_so3(Vec3<double>{0, 0, body.angle});
    body.angular_velocity = {0, 0, tables.spin.at(row)};
  } else {
    body.rotation = {tables.turn.at(row, 0), tables.turn.at(row, 1), tables.turn.at(row, 2),
                     tables.turn.at(row, 3)};
    body.angular_velocity = vector_at(tables.spin, row);
  }
  return body;
}

}  // namespace

StudyReference read_reference(const std::string& path, const Model& model) {
  const Hdf5Reader file(path);
  StudyReference reference{path, {}, {}};
  reference.run.times = file.table("time").values;
  const int rows = static_cast<int>(reference.run.times.size());
  // All tables first: their numbers count against the file's budget, and a long time alone takes no room for states.
  std::vector<BodyTables> bodies;
  for (const Body& body : model.bodies()) {
    bodies.push_back(read_body(file, "bodies/" + body.name + "/", model.dimension(), rows, path));
  }
  reference.run.states.reserve(rows);
  for (int row = 0; row < rows; ++row) {
    std::vector<BodyObservation>& state = reference.run.states.emplace_back();
    state.reserve(bodies.size());
    for (const BodyTables& body : bodies) state.push_back(observed(body, row, model.dimension() == 2));
  }
  return reference;
}

}  // namespace torsor
