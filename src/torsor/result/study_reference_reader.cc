#include "torsor/result/study_reference_reader.h"

#include "torsor/base/error.h"
#include "torsor/result/hdf5_reader.h"

namespace torsor {
namespace {

/// In the plane vectors have two components and turns one.
Vec3<double> vector_at(const Hdf5Reader::Table& table, int row) {
  return {table.at(row, 0), table.at(row, 1), table.columns > 2 ? table.at(row, 2) : 0};
}

}  // namespace

StudyReference read_reference(const std::string& path, const Model& model) {
  const Hdf5Reader file(path);
  StudyReference reference{path, {}, {}};
  reference.run.times = file.table("time").values;
  const int rows = static_cast<int>(reference.run.times.size());
  reference.run.states.resize(rows, std::vector<BodyObservation>(model.bodies().size()));
  const bool planar = model.dimension() == 2;
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const std::string folder = "bodies/" + model.bodies()[b].name + "/";
    const Hdf5Reader::Table com = file.table(folder + "com"), velocity = file.table(folder + "velocity"),
                            spin = file.table(folder + "angular_velocity"),
                            turn = file.table(folder + (planar ? "angle" : "quaternion"));
    const auto fits = [&](const Hdf5Reader::Table& table, int columns) {
      return table.rows == rows && table.columns == columns;
    };
    const int d = model.dimension();
    if (!(fits(com, d) && fits(velocity, d) && fits(spin, planar ? 1 : 3) && fits(turn, planar ? 1 : 4))) {
      throw ModelError(folder, "as many numbers as this model has", "others", path);
    }
    for (int row = 0; row < rows; ++row) {
      BodyObservation& body = reference.run.states[row][b];
      body.com = vector_at(com, row);
      body.velocity = vector_at(velocity, row);
      if (planar) {
        body.angle = turn.at(row);
        body.rotation = exp_so3(Vec3<double>{0, 0, body.angle});
        body.angular_velocity = {0, 0, spin.at(row)};
      } else {
        body.rotation = {turn.at(row, 0), turn.at(row, 1), turn.at(row, 2), turn.at(row, 3)};
        body.angular_velocity = vector_at(spin, row);
      }
    }
  }
  return reference;
}

}  // namespace torsor
