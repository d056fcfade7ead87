#include "core/symbols/store/locked_file.h"

#include <utility>

namespace highwater::symbols {

LockedFile::LockedFile(LockedFile&& other) noexcept
    : handle_(std::exchange(other.handle_, kNone)),
      state_(std::exchange(other.state_, State::Closed)),
      problem_(std::move(other.problem_)) {}

LockedFile& LockedFile::operator=(LockedFile&& other) noexcept {
    if (this == &other) return *this;
    close();
    handle_ = std::exchange(other.handle_, kNone);
    state_ = std::exchange(other.state_, State::Closed);
    problem_ = std::move(other.problem_);
    return *this;
}

} // namespace highwater::symbols
