#pragma once
// Structs of plain numbers, one for each lane, as one struct of packs.

#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "torsor/base/pack_math.h"

namespace torsor {

/// Why things cannot be packed.
struct NotPackable {
  std::string reason;
};

/// `pack(whole, lanes)`: numbers become lanes of packs; what is not a pack in the whole must be the same in all lanes. Nothing
/// that was in the fields before stays.
/// Structs say their fields, by `fields(self)` as a tuple of references; containers are of one size.
template <int N>
class LanePacker {
 public:
  template <class Lane>
  using Lanes = std::array<const Lane*, N>;

  void operator()(Pack<N>& whole, const Lanes<double>& lanes) const {
    for (int i = 0; i < N; ++i) whole[i] = *lanes[i];
  }
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void operator()(T& whole,
                                                                         const Lanes<T>& lanes) const {
    for (const T* lane : lanes) {
      if (*lane != *lanes[0]) refuse();
    }
    whole = *lanes[0];
  }
  template <class W, class L>
  void operator()(std::vector<W>& whole, const Lanes<std::vector<L>>& lanes) const {
    for (const auto* lane : lanes) {
      if (lane->size() != lanes[0]->size()) refuse();
    }
    whole.resize(lanes[0]->size());
    for (std::size_t k = 0; k < whole.size(); ++k)
      each(
          whole[k], lanes, [k](const auto& lane) -> auto& { return lane[k]; });
  }
  template <class W, class L, std::size_t M>
  void operator()(std::array<W, M>& whole, const Lanes<std::array<L, M>>& lanes) const {
    for (std::size_t k = 0; k < M; ++k)
      each(
          whole[k], lanes, [k](const auto& lane) -> auto& { return lane[k]; });
  }
  template <class W, class L>
  void operator()(std::optional<W>& whole, const Lanes<std::optional<L>>& lanes) const {
    for (const auto* lane : lanes) {
      if (lane->has_value() != lanes[0]->has_value()) refuse();
    }
    if (!*lanes[0]) {
      whole.reset();
      return;
    }
    each(
        whole.emplace(), lanes, [](const auto& lane) -> auto& { return *lane; });
  }
  template <template <class> class Vec>
  requires requires(Vec<double> v) { v.x, v.y; }
  void operator()(Vec<Pack<N>>& whole, const Lanes<Vec<double>>& lanes) const {
    constexpr int kSize = sizeof(Vec<double>) / sizeof(double);
    for (int k = 0; k < kSize; ++k)
      each(
          whole[k], lanes, [k](const auto& lane) -> auto& { return lane[k]; });
  }
  /// Matrices, by entries xx, xy, ..
  template <template <class> class Matrix>
  requires requires(Matrix<double> m) { m.xx, m.xy, m.zz; }
  void operator()(Matrix<Pack<N>>& whole, const Lanes<Matrix<double>>& lanes) const {
    constexpr int kSize = sizeof(Matrix<double>) / sizeof(double);
    for (int k = 0; k < kSize; ++k)
      each((&whole.xx)[k], lanes, [k](const auto& lane) -> auto& { return (&lane.xx)[k]; });
  }
  /// A type that packs a lane's own way, if it can be made of an array of them.
  template <class W, class L>
  requires std::constructible_from<W, std::array<L, N>>
  void operator()(W& whole, const Lanes<L>& lanes) const {
    std::array<L, N> all;
    for (int i = 0; i < N; ++i) all[i] = *lanes[i];
    whole = W(std::move(all));
  }
  template <class W, class L>
  requires requires(W& w, const L& l) { W::fields(w), L::fields(l); }
  void operator()(W& whole, const Lanes<L>& lanes) const {
    constexpr std::size_t kFields = std::tuple_size_v<decltype(W::fields(whole))>;
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      (each(
           std::get<K>(W::fields(whole)), lanes, [](const auto& lane) -> auto& {
             return std::get<K>(std::remove_cvref_t<decltype(lane)>::fields(lane));
           }),
       ...);
    }
    (std::make_index_sequence<kFields>{});
  }

 private:
  [[noreturn]] static void refuse() { throw NotPackable{"mechanisms that are not built alike"}; }

  template <class W, class Lane, class Part>
  void each(W& whole, const std::array<const Lane*, N>& lanes, Part&& part) const {
    using L = std::remove_cvref_t<decltype(part(*lanes[0]))>;
    Lanes<L> parts;
    for (int i = 0; i < N; ++i) parts[i] = &part(*lanes[i]);
    (*this)(whole, parts);
  }
};

}  // namespace torsor
