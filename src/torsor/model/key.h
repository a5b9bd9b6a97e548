#pragma once
// Key paths for complaints. Models of a sweep are checked by the thousand, and hardly one of them is complained about: so a path is
// kept in pieces, and put together where it is needed.

#include <array>
#include <cassert>
#include <string>
#include <string_view>

namespace torsor {

/// `tendons.biceps.path[2].at`. The texts it is made of must outlive it.
class Key {
 public:
  Key(const char* text) : Key(std::string_view(text)) {}
  Key(const std::string& text) : Key(std::string_view(text)) {}
  explicit Key(std::string_view text) { add({text}); }

  Key operator+(std::string_view text) const {
    Key longer = *this;
    longer.add({text});
    return longer;
  }
  /// `path[2]`
  Key at(std::size_t index) const {
    Key longer = *this;
    longer.add({{}, static_cast<long>(index)});
    return longer;
  }
  std::string text() const {
    std::string whole;
    for (int i = 0; i < count_; ++i) {
      const Piece& piece = pieces_[i];
      piece.index < 0 ? whole.append(piece.text) : whole.append("[" + std::to_string(piece.index) + "]");
    }
    return whole;
  }

 private:
  struct Piece {
    std::string_view text;
    long index = -1;
  };
  void add(Piece piece) {
    assert(count_ < static_cast<int>(pieces_.size()));
    pieces_[count_++] = piece;
  }

  std::array<Piece, 8> pieces_;
  int count_ = 0;
};

}  // namespace torsor
