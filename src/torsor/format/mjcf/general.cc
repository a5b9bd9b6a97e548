#include "torsor/format/mjcf/general.h"

#include <algorithm>
#include <optional>

namespace torsor::mjcf {
namespace {

void overwrite(const XmlElement& xml, const char* attribute, Ten& values) {
  if (const auto given = xml.numbers(attribute, 1, 10))
    std::copy(given->begin(), given->end(), values.begin());
}

/// One element, of a class or the actuator's own, in the order from the outside in.
void apply(const XmlElement& xml, General& g) {
  const std::string kind = xml.name();
  if (kind == "general") {
    if (const auto d =
            xml.choice("dyntype", {"none", "integrator", "filter", "filterexact", "muscle", "user"}))
      g.dynamics = static_cast<Dynamics>(*d);
    if (const auto law = xml.choice("gaintype", {"fixed", "affine", "muscle", "user"}))
      g.gain_law = static_cast<Law>(*law);
    if (const auto law = xml.choice("biastype", {"none", "affine", "muscle", "user"}))
      g.bias_law = static_cast<Law>(*law);
    overwrite(xml, "dynprm", g.dynamics_of);
    overwrite(xml, "gainprm", g.gain);
    overwrite(xml, "biasprm", g.bias);
  } else if (kind == "motor") {
    g = General{};
  } else if (kind == "position" || kind == "intvelocity") {
    const double kp = xml.number("kp", g.gain[0]);
    const auto kv = xml.number("kv"), ratio = xml.number("dampratio");
    if (kv && ratio) xml.fail("either kv or dampratio", "both");
    const double time = xml.number("timeconst", 0);
    g.gain_law = Law::fixed, g.bias_law = Law::affine;
    g.gain[0] = kp, g.bias[1] = -kp;
    if (kv) g.bias[2] = -*kv;
    if (ratio) g.bias[2] = *ratio;
    g.dynamics = kind == "intvelocity" ? Dynamics::integrator
                 : time > 0            ? Dynamics::filter_exact
                                       : Dynamics::none;
    g.dynamics_of = Ten{kind == "intvelocity" ? 1 : time};
  } else if (kind == "velocity") {
    const double kv = xml.number("kv", g.gain[0]);
    g = General{};
    g.bias_law = Law::affine, g.gain = Ten{kv}, g.bias = Ten{0, 0, -kv};
  } else if (kind == "damper") {
    const double kv = xml.number("kv", 0);
    g = General{};
    g.gain_law = Law::affine, g.gain = Ten{0, 0, -kv};
  } else if (kind == "cylinder") {
    g.dynamics = Dynamics::filter, g.gain_law = Law::fixed, g.bias_law = Law::affine;
    g.dynamics_of = Ten{xml.number("timeconst", 1)};
    double area = xml.number("area", 1);
    if (const auto diameter = xml.number("diameter"))
      area = 3.14159265358979323846 / 4 * *diameter * *diameter;
    g.gain = Ten{area}, g.bias = Ten{};
    overwrite(xml, "bias", g.bias);
  } else if (kind == "muscle") {
    if (g.gain_law != Law::muscle) {
      g.gain = Ten{0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2, 0};
      g.dynamics_of = Ten{0.01, 0.04, 0};
    }
    g.dynamics = Dynamics::muscle, g.gain_law = g.bias_law = Law::muscle;
    overwrite(xml, "timeconst", g.dynamics_of);
    if (const auto smooth = xml.number("tausmooth")) g.dynamics_of[2] = *smooth;
    if (const auto range = xml.numbers("range", 2)) g.gain[0] = (*range)[0], g.gain[1] = (*range)[1];
    constexpr const char* kNames[] = {"force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"};
    for (int i = 0; i < 7; ++i) g.gain[2 + i] = xml.number(kNames[i], g.gain[2 + i]);
    g.bias = g.gain;
  }
}

}  // namespace

General general_of(const Attributes& a) {
  General g;
  for (auto layer = a.layers().rbegin(); layer != a.layers().rend(); ++layer) apply(*layer, g);
  return g;
}

}  // namespace torsor::mjcf
