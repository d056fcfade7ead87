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

/// Maximum number of frames per stack in records.
inline constexpr std::size_t kMostWrittenFrames = 513; // one more than traces keep

/// The stack key in records, after its header (docs/etl-format.md 2.1).
struct StackKeyItem {
    std::uint16_t itemBytes = 24;
    std::uint16_t type = 18; // a 64-bit key
    std::uint16_t linkage = 0;
    std::uint16_t dataBytes = 16;
    std::uint64_t matchId = 0;
    std::uint64_t key = 0;
};
static_assert(sizeof(StackKeyItem) == 24);

/// Writes records for data besides events in a profile: the single process, the names of frames, and stacks. One
/// thread.
///
/// Such files contain the module of an address, but not the location of the module. Here each module has its own range
/// of 2^48 bytes, in which its addresses are used as they are. Functions that were inlined into each other appear as
/// frames with one address, and some files have no addresses at all. For this reason a frame gets a made-up address if
/// its own address already has other names.
class ProfileRecords {
  public:
    /// Names are ids of the pool, which must outlive it; each is written once.
    ProfileRecords(std::uint32_t pid, NamePool& names);

    /// The command line of the process: "./app --fast".
    void addProcess(std::int64_t ticks, std::string_view commandLine);
    /// Defines the code at a return address; functions as in CodeEvent, empty: not known. Returns the address that
    /// represents the frame in addStack(). module: its path; 0: none. Add frames without functions first where
    /// possible: they show their address, and other frames are moved away from it.
    [[nodiscard]] Address addFrame(std::int64_t ticks, NameId module, Address address,
                                   std::span<const NamedFunction> functions);
    /// Frames innermost first, as returned by addFrame(). Beyond the limit only the innermost frames are written, which
    /// is enough for the stack to count as cut.
    void addStack(std::int64_t ticks, std::uint64_t key, std::span<const Address> frames);
    void addNote(std::int64_t ticks, Severity severity, std::string_view sentence);

    /// Objects of one stack that count as one block.
    struct Sample {
        Address address = 0;
        ByteCount bytes = 0; ///< total size
        std::uint64_t objects = 0;
        std::span<const Address> frames; ///< as in addStack(); empty: not known
    };
    /// Includes the frames, so that readers do not have to keep them as for a key.
    void addSample(std::int64_t ticks, const Sample& sample);
    /// All objects of the sample end.
    void addSampleEnd(std::int64_t ticks, Address address);

    [[nodiscard]] bool isEmpty() const { return builder_.size() == 0; }
    /// Whether the added records reach the size of a batch, so that moveTo() is due.
    [[nodiscard]] bool isFull() const;
    /// Appends all records added since the last call.
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
    std::vector<Address> bases_; ///< base addresses of modules, by id; kNoBase: none yet
    Address modules_ = 0;
    std::vector<bool> isTold_;                             ///< whether a text was written, by id
    tsl::robin_set<Address, SeededHash> named_, nameless_; ///< addresses of frames
    std::vector<std::byte> extended_;                      ///< items of the current sample
    Address madeUp_ = 0;                                   ///< number of made-up addresses
};

} // namespace highwater::source
