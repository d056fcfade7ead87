#pragma once

#include "core/base/seeded_hash.h"
#include "core/decode/records/clock.h"
#include "core/decode/records/stack_record.h"
#include "core/decode/stacks/stack_observer.h"
#include "core/event/event_sink.h"
#include "core/event/trace_health.h"

#include <cstdint>
#include <span>
#include <tsl/robin_map.h>
#include <vector>

namespace highwater::decode {

/// One use of a stack key value, from its first reference to the record that defines its frames. Keys are addresses in
/// the kernel's cache and are reused for other stacks; generations are unique. An index that is reused when it has no
/// more holders.
using KeyGeneration = Id<struct KeyGenerationTag>;

/// The kernel half or the user half of a stack, if it is known.
struct StackPart {
    enum class Kind : std::uint8_t { None, Frames, Key };
    Kind kind = Kind::None;
    bool isKept = false; ///< the frames are in a FramePool and must be released
    KeyGeneration generation{};
    std::span<const Address> frames;
};

/// Stack caching (docs/etl-format.md 7.2): references come first, the frames of their key later.
///
///     reference(K) reference(K) definition(K)   reference(K) ...
///     |-------- generation 1 ------------|      |-- generation 2
///
/// A KeyCreate record (opcode 34) defines its key for later references instead, until the key is defined again.
/// finish() counts references that were never defined as Loss::StacksUnresolved. Pipeline thread only.
class StackKeyTable {
  public:
    StackKeyTable(const Clock& clock, EventSink& sink, TraceHealth& health, StackObserver* observer);

    /// Counts a reference and returns the generation that it belongs to.
    KeyGeneration refer(std::uint64_t key, const StackReference& reference);
    /// KeyDelete, KeyRundown: the frames of all references since the last definition; ends the generation.
    void define(std::uint64_t key, std::span<const Address> frames);
    /// KeyCreate: the frames of all references until the next definition, and of earlier ones that still wait.
    void create(std::uint64_t key, std::span<const Address> frames);

    /// Keeps a generation, and its frames once known, until release().
    void hold(KeyGeneration generation) { ++generations_[generation.value].holds; }
    void release(KeyGeneration generation);

    /// The stack of an event that is delivered now: the frames of both halves (kernel first) if all are known,
    /// otherwise a PendingStackId, the same for all events with the same generations. Spans are valid until the next
    /// call of any function.
    [[nodiscard]] EventStack resolve(const StackPart& kernel, const StackPart& user);

    void finish();

  private:
    static constexpr std::uint32_t kNoPending = 0xFFFFFFFFu;

    struct Observed {
        TraceTime time;
        std::uint32_t pid;
    };
    struct Generation {
        std::uint64_t undefinedReferences = 0;
        std::uint32_t holds = 0;          ///< holds by the key map, waiting events and pending stacks
        std::uint32_t alone = kNoPending; ///< the pending stack that consists of this generation only
        bool isDefined = false;
        std::vector<Address> frames;
        std::vector<std::uint32_t> pendings; ///< pending stacks that wait for it
        std::vector<Observed> observed;      ///< only filled for an observer
    };
    /// A stack that was passed to the sink as deferred. Its plain frames are copies.
    struct PendingStack {
        PendingStackId id{};
        StackPart kernel;
        StackPart user;
        std::uint32_t missing = 0;
        std::vector<Address> plainFrames;
    };

    [[nodiscard]] KeyGeneration newGeneration();
    void setFrames(KeyGeneration generation, std::span<const Address> frames);
    void completePending(std::uint32_t slot);
    void forget(std::uint64_t key);

    [[nodiscard]] bool isKnown(const StackPart& part) const;
    [[nodiscard]] std::span<const Address> framesOf(const StackPart& part) const;
    [[nodiscard]] std::span<const Address> joined(const StackPart& kernel, const StackPart& user);
    [[nodiscard]] std::uint32_t& sharedSlot(const StackPart& kernel, const StackPart& user);
    [[nodiscard]] std::uint32_t newPending(const StackPart& kernel, const StackPart& user);
    void await(StackPart& part, std::uint32_t slot);
    void copyPlainFrames(PendingStack& pending);

    const Clock& clock_;
    EventSink& sink_;
    TraceHealth& health_;
    StackObserver* observer_;

    tsl::robin_map<std::uint64_t, KeyGeneration, SeededHash> currentOfKey_;
    std::vector<Generation> generations_;
    std::vector<std::uint32_t> freeGenerations_;
    std::vector<PendingStack> pendings_;
    std::vector<std::uint32_t> freePendings_;
    tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash> pendingOfPair_; ///< (kernel, user generation) -> slot
    std::uint32_t unshared_ = kNoPending;
    std::uint32_t nextPendingId_ = 0;
    std::vector<Address> joinedFrames_;
};

} // namespace highwater::decode
