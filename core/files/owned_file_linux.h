#pragma once

#include <utility>

namespace highwater {

/// A file descriptor that its destructor closes.
class OwnedFile {
  public:
    OwnedFile() = default;
    /// Takes ownership; -1: not open.
    explicit OwnedFile(int file) : file_(file) {}
    OwnedFile(OwnedFile&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    OwnedFile& operator=(OwnedFile&& other) noexcept {
        std::swap(file_, other.file_);
        return *this;
    }
    OwnedFile(const OwnedFile&) = delete;
    OwnedFile& operator=(const OwnedFile&) = delete;
    ~OwnedFile();
    [[nodiscard]] bool isOpen() const { return file_ >= 0; }
    [[nodiscard]] int number() const { return file_; }

  private:
    int file_ = -1;
};

/// Opens a file in an open folder for reading.
[[nodiscard]] OwnedFile openIn(const OwnedFile& folder, const char* name);

} // namespace highwater
