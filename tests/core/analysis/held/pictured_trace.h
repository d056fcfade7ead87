#pragma once

#include "tests/core/analysis/columns_builder.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace highwater::tests {

/// A process with heap blocks, of which pictures are taken. Each call is one nanosecond later, starting at 1.
class PicturedTrace {
  public:
    PicturedTrace() { process_ = builder_.process("server", 7, TraceTime{0}); }

    std::size_t block(const std::string& stack, ByteCount size) {
        ModelRow row;
        row.process = process_;
        row.heap = 1;
        row.stack = stack;
        row.address = next_;
        row.size = size;
        row.begin = TraceTime{++now_};
        next_ += 1000;
        return builder_.alloc(row);
    }
    void pass(std::int64_t nanoseconds) { now_ += nanoseconds; }
    void free(std::size_t row) {
        ModelRelease release;
        release.time = TraceTime{++now_};
        builder_.end(row, release);
    }
    void picture(std::map<std::size_t, ModelHeld> blocks) {
        builder_.picture({process_, TraceTime{++now_}, std::move(blocks)});
    }
    [[nodiscard]] std::shared_ptr<const store::PublishedTrace> publish() {
        return builder_.publish(TraceTime{now_ + 1});
    }

  private:
    ColumnsBuilder builder_;
    std::uint32_t process_ = 0;
    std::int64_t now_ = 0;
    Address next_ = 0x10000;
};

/// Only the root leads to the block.
inline ModelHeld byRoot(const std::string& root) { return {.root = root, .dominatingRoot = root}; }
/// Another root leads to it, too.
inline ModelHeld bySeveralRoots(const std::string& root) { return {.root = root}; }
inline ModelHeld byBlock(std::size_t block) { return {.holder = block, .dominator = block}; }
inline ModelHeld unreachable() { return {.reachability = Reachability::Unreachable}; }
/// Only an unreachable block leads to it.
inline ModelHeld leakedBy(std::size_t block) {
    return {.reachability = Reachability::OnlyLeaked, .holder = block, .dominator = block};
}

} // namespace highwater::tests
