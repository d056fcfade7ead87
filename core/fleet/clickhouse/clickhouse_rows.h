#pragma once

#include "core/fleet/clickhouse/row_binary.h"
#include "core/fleet/questions/stack_naming.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater::fleet {

/// Bytes of rows per request.
constexpr std::size_t kClickHouseBlockBytes = 64 << 20;

/// The identity of a function. Functions without a name include their build, after a NUL.
[[nodiscard]] inline std::string frameKey(std::string_view name, bool isNamed, std::string_view buildId) {
    std::string key(name);
    if (!isNamed) (key += '\0') += buildId;
    return key;
}
[[nodiscard]] inline std::string frameKey(const summary::Frame& frame) {
    return frameKey(frame.name, frame.isNamed, frame.buildId);
}

/// Names that a fleet already has and that need not be sent again.
struct ExistingNames {
    std::set<summary::StackKey> stacks;
    std::set<std::string> frames; ///< by key
    std::set<std::uint64_t> processes;
};

/// Collects rows for names that the fleet does not have.
class NewNames {
  public:
    explicit NewNames(ExistingNames& there) : there_(there) {}

    void addProcess(std::uint64_t id, std::string_view name);
    void addFrame(const summary::Frame& frame);
    [[nodiscard]] bool isNew(const summary::StackKey& key) const;
    void addStack(const summary::StackKey& key, std::string_view owner, std::span<const CalledFrame> frames);

    /// Rows by table, in the order of writing.
    [[nodiscard]] std::vector<std::pair<const char*, std::string>> takeRows();
    /// Call after the rows were written.
    void markWritten();

  private:
    ExistingNames& there_;
    ExistingNames new_;
    RowBinaryWriter processes_, frames_, stacks_;
};

} // namespace highwater::fleet
