// Quickhull (Barber, Dobkin, Huhdanpaa 1996): a point outside of a face replaces all faces that it sees by those from it to the edges
// around them.

#include "torsor/format/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

namespace torsor {
namespace {

constexpr double kCoplanar = 1e-12;   ///< of the size
constexpr std::size_t kRimWork = 10;  ///< a new face costs as much as so many comparisons

struct Face {
  std::array<int, 3> corners;
  std::array<int, 3> beyond{-1, -1, -1};  ///< the face across the edge from corner i to the next
  Vec3<double> normal{};
  double offset = 0;
  std::vector<int> outside{};  ///< points that it sees
  bool alive = true, seen = false;
};

class Hull {
 public:
  Hull(const std::vector<Vec3<double>>& points, long most_work) : points_(points), most_work_(most_work) {}

  std::optional<std::vector<std::array<int, 3>>> make() {
    std::vector<std::array<int, 3>> all;
    if (!start()) return all;
    for (; !waiting_.empty(); waiting_.pop_front()) {
      const int f = waiting_.front();
      while (faces_[f].alive && !faces_[f].outside.empty()) {
        if (work_ > most_work_) return std::nullopt;
        grow(f);
      }
    }
    for (const Face& face : faces_) {
      if (face.alive) all.push_back(face.corners);
    }
    return all;
  }

 private:
  const Vec3<double>& at(int i) const { return points_[i]; }
  double height(const Face& face, int point) const { return dot(face.normal, at(point)) - face.offset; }

  template <class Measure>
  int farthest(Measure&& measure) const {
    int best = 0;
    double most = -1;
    for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
      if (const double m = measure(i); m > most) most = m, best = i;
    }
    return best;
  }

  /// Four points that span a volume.
  bool start() {
    if (points_.size() < 4) return false;
    const int a = farthest([&](int i) { return norm(at(i) - at(0)); });
    const int b = farthest([&](int i) { return norm(at(i) - at(a)); });
    const double size = norm(at(b) - at(a));
    within_ = kCoplanar * size;
    if (!(size > 0)) return false;
    const Vec3<double> along = (1 / size) * (at(b) - at(a));
    const int c = farthest([&](int i) { return norm(cross(along, at(i) - at(a))); });
    Vec3<double> across = cross(along, at(c) - at(a));
    if (!(norm(across) > within_)) return false;
    across = (1 / norm(across)) * across;
    const int d = farthest([&](int i) { return std::abs(dot(across, at(i) - at(a))); });
    const double above = dot(across, at(d) - at(a));
    if (!(std::abs(above) > within_)) return false;
    const std::array<int, 3> base = above > 0 ? std::array<int, 3>{a, c, b} : std::array<int, 3>{a, b, c};
    std::vector<int> made{add({base[0], base[1], base[2]})};
    for (int k = 0; k < 3; ++k) made.push_back(add({base[(k + 1) % 3], base[k], d}));
    for (int k = 0; k < 3; ++k) {
      faces_[0].beyond[k] = 1 + k;
      faces_[1 + k].beyond = {0, 1 + (k + 2) % 3, 1 + (k + 1) % 3};
    }
    std::vector<int> all;
    for (int i = 0; i < static_cast<int>(points_.size()); ++i) all.push_back(i);
    share(all, made);
    return true;
  }

  int add(const std::array<int, 3>& corners) {
    Face face{corners};
    const Vec3<double> n = cross(at(corners[1]) - at(corners[0]), at(corners[2]) - at(corners[0]));
    const double length = norm(n);
    if (length > 0) face.normal = (1 / length) * n;
    face.offset = dot(face.normal, at(corners[0]));
    if (dead_.empty()) {
      faces_.push_back(std::move(face));
      return static_cast<int>(faces_.size()) - 1;
    }
    const int place = dead_.back();
    dead_.pop_back();
    faces_[place] = std::move(face);
    return place;
  }

  /// Hands points to the first of the faces that see them; those that none sees are inside.
  void share(const std::vector<int>& points, const std::vector<int>& faces) {
    for (const int point : points) {
      for (const int f : faces) {
        ++work_;
        if (height(faces_[f], point) > within_) {
          faces_[f].outside.push_back(point);
          break;
        }
      }
    }
    waiting_.insert(waiting_.end(), faces.begin(), faces.end());
  }

  void grow(int f) {
    std::vector<int>& outside = faces_[f].outside;
    work_ += static_cast<long>(outside.size());
    const auto top = std::max_element(outside.begin(), outside.end(), [&](int a, int b) {
      return height(faces_[f], a) < height(faces_[f], b);
    });
    const int point = *top;
    outside.erase(top);
    // What it sees, from this face on; and the edges around it, by where they begin.
    std::vector<int> visible{f};
    faces_[f].seen = true;
    struct Edge {
      int from, to, beyond;
    };
    std::vector<Edge> rim;
    for (std::size_t i = 0; i < visible.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        const Face& face = faces_[visible[i]];
        const int next = face.beyond[k];
        if (faces_[next].seen) continue;
        if (height(faces_[next], point) > within_) {
          faces_[next].seen = true;
          visible.push_back(next);
        } else {
          rim.push_back({face.corners[k], face.corners[(k + 1) % 3], next});
        }
      }
    }
    work_ += static_cast<long>(visible.size() + kRimWork * rim.size());
    std::map<int, int> begins;  ///< faces by the first corner of their edge
    for (const Edge& edge : rim) begins.emplace(edge.from, -1);
    // Where the edges make no single ring, the point stands within rounding of what it sees.
    if (begins.size() != rim.size()) {
      for (const int v : visible) faces_[v].seen = false;
      return;
    }
    std::vector<int> left;
    for (const int v : visible) {
      faces_[v].alive = false;
      left.insert(left.end(), faces_[v].outside.begin(), faces_[v].outside.end());
      std::vector<int>().swap(faces_[v].outside);
      dead_.push_back(v);
    }
    std::vector<int> all;
    for (const Edge& edge : rim) {
      const int made = add({edge.from, edge.to, point});
      all.push_back(made);
      begins[edge.from] = made;
      faces_[made].beyond[0] = edge.beyond;
      Face& neighbour = faces_[edge.beyond];
      for (int k = 0; k < 3; ++k) {
        if (neighbour.corners[k] == edge.to && neighbour.corners[(k + 1) % 3] == edge.from)
          neighbour.beyond[k] = made;
      }
    }
    for (const int n : all) {
      const int after = begins.at(faces_[n].corners[1]);
      faces_[n].beyond[1] = after;
      faces_[after].beyond[2] = n;
    }
    share(left, all);
  }

  const std::vector<Vec3<double>>& points_;
  std::vector<Face> faces_;
  std::deque<int> waiting_;  ///< faces that may see points; some have been replaced since
  std::vector<int> dead_;    ///< places of faces that are no more, for others to take
  double within_ = 0;
  long most_work_, work_ = 0;
};

}  // namespace

std::optional<std::vector<std::array<int, 3>>> convex_hull(const std::vector<Vec3<double>>& points,
                                                           long most_work) {
  return Hull(points, most_work).make();
}

}  // namespace torsor
