#pragma once

#include "core/base/byte_reader.h"
#include "core/source/generated_code/process_facts_linux.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <sys/types.h>

namespace highwater::source {

/// A file of another process that grows while it is read: piece by piece, by whoever asks. One that was cut, replaced
/// or written anew is read from its begin again. It is held open: what was written can be read when its writer has
/// ended and its name is gone. One thread.
class GrowingFile {
  public:
    enum class Refusal : std::uint8_t { None, OtherOwner, NoPlainFile };
    struct Reader {
        std::function<void(ByteSpan)> take; ///< the next bytes; valid during the call
        std::function<void()> restart;      ///< the file begins anew
    };

    /// A file of this name in a folder (AT_FDCWD: the path is whole). It is read only if it belongs to that user.
    GrowingFile(int folder, std::string name, uid_t owner) : folder_(folder), name_(std::move(name)), owner_(owner) {}

    /// Gives on at most so many bytes of what is new; how many that was. 0: there is nothing new, or no such file.
    std::size_t read(const Reader& reader, std::size_t most);
    /// From now on the file is another one, even if it looks the same: its writer was asked to write it.
    void beginAnew() { isAnew_ = true; }
    [[nodiscard]] bool isOpen() const { return file_.isOpen(); }
    [[nodiscard]] Refusal refusal() const { return refusal_; }
    /// Whether a file of this name is there now.
    [[nodiscard]] bool exists() const;
    /// Removes the name, if it is still the file that is open here.
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
