#pragma once

#include "core/base/seeded_hash.h"
#include "core/base/units.h"
#include "core/event/code_events.h"
#include "core/event/trace_health.h"
#include "core/source/profiles/name_pool.h"
#include "core/source/records/batch_builder.h"

#include <tsl/robin_set.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace highwater::source {

/// Frames of a stack that records have.
inline constexpr std::size_t kMostToldFrames = 513; // one more than traces keep

/// A stack key as records carry it behind their header (docs/etl-format.md 2.1).
struct StackKeyItem {
    std::uint16_t itemBytes = 24;
    std::uint16_t type = 18; // a key of 64 bits
    std::uint16_t linkage = 0;
    std::uint16_t dataBytes = 16;
    std::uint64_t matchId = 0;
    std::uint64_t key = 0;
};
static_assert(sizeof(StackKeyItem) == 24);

/// Records of what another profiler's file says beside its events: the one process, the names of frames, stacks. One
/// thread.
///
/// Such files say in which module an address lies, but not where the module does. Each module has a range of its own
/// here, of 2^48 bytes, in which its addresses lie as they are. Functions that were inlined into each other come as
/// frames of one address, and some files have no addresses at all: a frame whose address has names of another one gets
/// an address that is made up.
class ProfileRecords {
  public:
    /// Names are ids of the pool, which outlives it: each is written once.
    ProfileRecords(std::uint32_t pid, NamePool& names);

    /// A program as the user called it: "./app --fast".
    void addProcess(std::int64_t ticks, std::string_view commandLine);
    /// What stands at an address that a call returns to; functions as CodeEvent has them, empty: not known. Returns
    /// what the frame is called in addStack(). module: its path; 0: none. Frames without functions come first where
    /// that is possible: they show their address, and others are moved where they would have the same.
    [[nodiscard]] Address addFrame(std::int64_t ticks, NameId module, Address address,
                                   std::span<const NamedFunction> functions);
    /// Frames innermost first, as addFrame() calls them. Of very many the innermost ones are told, enough of them that
    /// the stack counts as cut.
    void addStack(std::int64_t ticks, std::uint64_t key, std::span<const Address> frames);
    void addNote(std::int64_t ticks, Severity severity, std::string_view sentence);

    /// Objects of one stack that count as a block.
    struct Sample {
        Address address = 0;
        ByteCount bytes = 0; ///< of all of them
        std::uint64_t objects = 0;
        std::span<const Address> frames; ///< as addStack() has them; empty: not known
    };
    /// Its frames go with it: who reads the record need not keep them, as those of a key.
    void addSample(std::int64_t ticks, const Sample& sample);
    /// All of them are gone.
    void addSampleEnd(std::int64_t ticks, Address address);

    [[nodiscard]] bool isEmpty() const { return builder_.size() == 0; }
    /// It is time for moveTo(): what was added has the size of a batch.
    [[nodiscard]] bool isFull() const;
    /// Appends all that was added since.
    void moveTo(etl::RecordBatch& batch) { builder_.moveTo(batch); }

  private:
    [[nodiscard]] static std::span<const Address> toldOf(std::span<const Address> frames);
    [[nodiscard]] etl::RawRecord ofHighwater(std::int64_t ticks, std::uint8_t opcode) const;
    [[nodiscard]] Address baseOf(std::int64_t ticks, NameId module);
    void tell(std::int64_t ticks, NameId text);
    [[nodiscard]] bool isTakenNear(Address frame) const;
    [[nodiscard]] Address firstOf(std::span<const Address> frames) const;

    std::uint32_t pid_;
    NamePool& names_;
    NameId noModule_;
    BatchBuilder builder_;
    std::vector<Address> bases_; ///< of modules, by their ids; kNoBase: there is none yet
    Address modules_ = 0;
    std::vector<bool> isTold_;                             ///< of texts, by their ids
    tsl::robin_set<Address, SeededHash> named_, nameless_; ///< addresses of frames
    std::vector<std::byte> extended_;                      ///< of the sample at hand
    Address madeUp_ = 0;                                   ///< how many were
};

} // namespace highwater::source
