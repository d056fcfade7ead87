// Any bytes, read as the file of a program that is about to be recorded, and as that of its interpreters and dynamic
// linker: never a crash, a hang, or a read outside, and every obstacle has a message.
#include "core/source/attach/recordable_program_linux.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

using namespace highwater;

namespace {

std::span<const std::uint8_t> content;

/// Every path leads to the bytes.
class AnyFile {
  public:
    explicit AnyFile(const char* path) : isMissing_(std::strncmp(path, "/nowhere", 8) == 0) {}
    [[nodiscard]] bool isOpen() const { return !isMissing_; }
    [[nodiscard]] bool isMissing() const { return isMissing_; }
    [[nodiscard]] bool givesRights() const { return false; }
    [[nodiscard]] long read(std::uint64_t offset, void* into, std::size_t bytes) const {
        if (offset >= content.size()) return 0;
        const auto count = std::min<std::size_t>(bytes, content.size() - offset);
        std::memcpy(into, content.data() + offset, count);
        return static_cast<long>(count);
    }

  private:
    bool isMissing_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    content = {data, size};
    agent::ProgramFinding finding;
    agent::examineProgram<AnyFile>("/program", finding);
    if (source::reasonFor(finding.obstacle, finding.detail).empty()) std::abort();
    return 0;
}
