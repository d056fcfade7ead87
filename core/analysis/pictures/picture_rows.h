#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/event/memory_picture.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace highwater::analysis {

/// "libapp.so!g_sessions", "variables of libapp.so", "stack of worker (1234)", "stack of worker (1234): app!run",
/// "registers of worker (1234)", "thread-local data of worker (1234)", "app!t_cache of worker (1234)", "thread-local
/// data of libapp.so of worker (1234)", "mapping [anon:pool]".
[[nodiscard]] std::string rootText(const MemoryPicture& picture, const PictureRoot& root);

/// Why the columns of pictures are empty in the interval, a sentence; empty: a picture is in it.
[[nodiscard]] std::string pictureNote(const store::PublishedTrace& trace, TimeRange interval);

/// Why a recording that was to take pictures has none, as it says itself; empty: it does not say.
[[nodiscard]] std::string whyNotTaken(const store::PublishedTrace& trace);

/// Whether almost all that is known about heaps is in pictures, as in a trace of `picture`: the trace has no rows of
/// heaps, or less than a tenth as many as one of its pictures has blocks.
[[nodiscard]] bool isOfPictures(const store::PublishedTrace& trace);

/// The end of an interval whose newest pictures are the one at this time and those that were taken with it: pictures of
/// all processes are taken one after the other. Each of these follows within a second, and is of another process.
/// `pictures`: in the order of time.
[[nodiscard]] TraceTime endOfRound(std::span<const SharedMemoryPicture> pictures, TraceTime chosen);

/// In place of a root, for unreachable blocks.
inline constexpr const char* kNoHolder = "nothing (unreachable)";

/// The newest picture of each process in an interval, and which rows of the Heap table are its blocks: docs/numbers.md
/// 26. Immutable; any thread.
class PictureRows {
  public:
    PictureRows(const store::PublishedTrace& trace, TimeRange interval);

    struct Pictured {
        ProcessIndex process;
        SharedMemoryPicture picture;
        /// For each block: the root on its shortest path; number of roots: none, because it is unreachable.
        std::vector<std::uint32_t> rootOf;
        std::vector<std::uint32_t> holders; ///< by root, and for unreachable blocks: index in holders()
        std::vector<std::uint32_t> types;   ///< by number in MemoryPicture::types: index in types()
    };
    struct Place {
        std::uint32_t pictured = 0; ///< index in all()
        std::uint32_t block = 0;
    };

    /// The block of a row; nothing: it is in no picture.
    [[nodiscard]] std::optional<Place> find(ProcessIndex process, Address address, TraceTime begin,
                                            TraceTime end) const;
    /// By process.
    [[nodiscard]] std::span<const Pictured> all() const { return all_; }
    [[nodiscard]] bool isPictured(ProcessIndex process) const { return indexOf(process).has_value(); }
    /// Texts of roots, without duplicates. The first is that of no root.
    [[nodiscard]] const std::vector<std::string>& holders() const { return holders_; }
    /// Index in holders() of the root on the block's shortest path.
    [[nodiscard]] std::uint32_t holderOf(Place place) const {
        const auto& pictured = all_[place.pictured];
        return pictured.holders[pictured.rootOf[place.block]];
    }
    /// Names of types, without duplicates.
    [[nodiscard]] const std::vector<std::string>& types() const { return types_; }
    /// Index in types() + 1; 0: the block has no known type.
    [[nodiscard]] std::uint32_t typeOf(Place place) const {
        const auto type = block(place).type;
        return type == 0 ? 0 : all_[place.pictured].types[type - 1] + 1;
    }
    [[nodiscard]] const PictureBlock& block(Place place) const {
        return all_[place.pictured].picture->blocks[place.block];
    }

  private:
    [[nodiscard]] std::optional<std::uint32_t> indexOf(ProcessIndex process) const;

    std::vector<Pictured> all_;
    std::vector<std::string> holders_, types_;
};

} // namespace highwater::analysis
