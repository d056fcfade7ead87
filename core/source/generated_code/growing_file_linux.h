#pragma once

#include "core/base/byte_reader.h"
#include "core/source/generated_code/process_facts_linux.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <sys/types.h>

namespace highwater::source {

/// A file that another process extends while it is read in pieces. A truncated, replaced or rewritten file is read
/// again from its start. It is kept open, so that it can be read after its writer has ended and its name was deleted.
/// One thread.
class GrowingFile {
  public:
    enum class Refusal : std::uint8_t { None, OtherOwner, NoPlainFile };
    struct Reader {
        std::function<void(ByteSpan)> take; ///< receives the next bytes, valid during the call
        std::function<void()> restart;      ///< the file is read again from its start
    };

    /// A file with this name in a folder (AT_FDCWD: `name` is a full path). It is read only if it belongs to that user.
    GrowingFile(int folder, std::string name, uid_t owner) : folder_(folder), name_(std::move(name)), owner_(owner) {}

    /// Passes on at most `most` new bytes and returns their number. 0: nothing new, or no such file.
    std::size_t read(const Reader& reader, std::size_t most);
    /// Treats the file as a new one even if it looks unchanged, because its writer was asked to write it.
    void beginAnew() { isAnew_ = true; }
    [[nodiscard]] bool isOpen() const { return file_.isOpen(); }
    [[nodiscard]] Refusal refusal() const { return refusal_; }
    /// Whether a file with this name exists now.
    [[nodiscard]] bool exists() const;
    /// Deletes the file, if the name still refers to the open file.
    void remove();

  private:
    [[nodiscard]] bool open(const Reader& reader);
    [[nodiscard]] bool isReplaced() const;
    [[nodiscard]] bool isWrittenAnew(std::uint64_t size) const;
    void begin(const Reader& reader);

    static constexpr std::size_t kTailBytes = 64;

    int folder_;
    std::string name_;
    uid_t owner_;
    OwnedFile file_;
    dev_t device_ = 0;
    ino_t inode_ = 0;
    std::uint64_t position_ = 0;
    std::array<std::byte, kTailBytes> tail_{}; ///< the last bytes before the position
    std::size_t tailBytes_ = 0;
    bool isAnew_ = false;
    Refusal refusal_ = Refusal::None;
};

} // namespace highwater::source
