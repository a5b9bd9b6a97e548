// Laws of one's own: functions of Python as those of the library.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>

#include "model.h"
#include "module.h"
#include "torsor/model/check.h"

namespace nb = nanobind;

namespace torsor::python {
namespace {

/// Copies of a law are made and dropped by whichever thread, with the interpreter's lock or without.
using Function = std::shared_ptr<nb::object>;

Function share(nb::handle function) {
  return {new nb::object(nb::borrow(function)), [](nb::object* shared) {
            if (!Py_IsInitialized()) {  // its objects are gone: nothing is left to release
              shared->release();
            } else {
              nb::gil_scoped_acquire lock;
              shared->reset();
            }
            delete shared;
          }};
}

/// Three numbers; what Python raises goes up through the step as nb::python_error.
template <class Answer, class... Number>
Answer call(const Function& function, Number... numbers) {
  nb::gil_scoped_acquire lock;
  const nb::tuple answer = nb::cast<nb::tuple>((*function)(numbers...));
  return {nb::cast<double>(answer[0]), nb::cast<double>(answer[1]), nb::cast<double>(answer[2])};
}

Vec3<double> vector_of(nb::handle answer) {
  const nb::tuple n = nb::cast<nb::tuple>(answer);
  return {nb::cast<double>(n[0]), nb::cast<double>(n[1]), nb::cast<double>(n[2])};
}
Mat3<double> matrix_of(nb::handle answer) {  // row by row
  const nb::tuple rows = nb::cast<nb::tuple>(answer);
  const Vec3<double> x = vector_of(rows[0]), y = vector_of(rows[1]), z = vector_of(rows[2]);
  return {x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
}
nb::tuple tuple_of(const Vec3<double>& a) { return nb::make_tuple(a.x, a.y, a.z); }

PointPotentialJet ask_potential(const Function& function, const Vec3<double>& p) {
  nb::gil_scoped_acquire lock;
  const nb::tuple answer = nb::cast<nb::tuple>((*function)(p.x, p.y, p.z));
  return {nb::cast<double>(answer[0]), vector_of(answer[1]), matrix_of(answer[2])};
}
PointForceJet ask_force(const Function& function, const Vec3<double>& p, const Vec3<double>& v, double t) {
  nb::gil_scoped_acquire lock;
  const nb::tuple answer = nb::cast<nb::tuple>((*function)(tuple_of(p), tuple_of(v), t));
  return {vector_of(answer[0]), matrix_of(answer[1]), matrix_of(answer[2])};
}

template <class Named>
int index_of(const std::vector<Named>& all, const std::string& name, const std::string& key,
             const char* what) {
  const std::vector<std::string> names = names_of(all);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<int>(i);
  }
  throw ModelError(key, what, did_you_mean(name, names));
}

}  // namespace

std::vector<NamedLaw> read_laws(const nb::list& laws) {
  std::vector<NamedLaw> all;
  for (const nb::handle entry : laws) {
    const nb::tuple parts = nb::cast<nb::tuple>(entry);
    NamedLaw named;
    named.law.name = nb::cast<std::string>(parts[0]);
    named.joint = nb::cast<std::optional<std::string>>(parts[1]);
    named.law.coordinate = nb::cast<int>(parts[2]);
    named.tendon = nb::cast<std::optional<std::string>>(parts[3]);
    named.point = nb::cast<std::optional<std::string>>(parts[7]);
    named.law.dissipates = named.point_law.dissipates = nb::cast<bool>(parts[6]);
    named.point_law.name = named.law.name;
    const nb::handle potential = parts[4], force = parts[5];
    if (!potential.is_none() && named.point) {
      named.point_law.potential = [f = share(potential)](const Vec3<double>& p) {
        return ask_potential(f, p);
      };
    } else if (!potential.is_none()) {
      named.law.potential = [f = share(potential)](double x) { return call<PotentialJet>(f, x); };
    }
    if (!force.is_none() && named.point) {
      named.point_law.force = [f = share(force)](const Vec3<double>& p, const Vec3<double>& v, double t) {
        return ask_force(f, p, v, t);
      };
    } else if (!force.is_none()) {
      named.law.force = [f = share(force)](double x, double rate, double t) {
        return call<ForceJet>(f, x, rate, t);
      };
    }
    all.push_back(std::move(named));
  }
  return all;
}

Model model_with_laws(const ModelSource& source, const std::vector<NamedLaw>& laws) {
  if (laws.empty()) return parse_model(source);
  parse_model(source);  // faults of the text have their line
  ModelDescription d = parse_description(source);
  if (!d.text.empty() && d.text.back() != '\n') d.text += '\n';
  for (const auto& [law, joint, tendon, point_law, point] : laws) {
    const std::string key = "laws." + law.name;
    d.text += "# law " + law.name + ": functions of Python, which no file can hold\n";
    if (point) {
      d.point_laws.push_back(point_law);
      d.point_laws.back().at = d.points[index_of(d.points, *point, key + ".point", "a point")];
      continue;
    }
    OwnLaw own = law;
    if (joint) own.joint = index_of(d.joints, *joint, key + ".joint", "a joint");
    if (tendon) own.tendon = index_of(d.tendons, *tendon, key + ".tendon", "a tendon");
    d.laws.push_back(std::move(own));
  }
  return Model(std::move(d));
}

}  // namespace torsor::python
