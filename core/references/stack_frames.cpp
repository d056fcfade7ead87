#include "core/references/stack_frames.h"

#include "core/agent_linux/call_frame_entry.h"
#include "core/base/text.h"
#include "core/references/mapping_search.h"
#include "core/references/memory_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace highwater::references {
namespace {

using agent::FrameBytes, agent::FrameEntry, agent::FrameRow, agent::FrameRule;

constexpr std::size_t kMostFrames = 1 << 16, kMostEntries = 1 << 24, kMostEntryBytes = 1 << 16;
constexpr Address kCodePage = 4096;
constexpr std::size_t kFramePointer = 6; // number of rbp in DWARF

/// The functions of a module.
struct CodeModule {
    struct Row { // of the sorted table in .eh_frame_hdr; both are distances from there
        std::int32_t start = 0;
        std::int32_t entry = 0;
    };
    Address begin = 0;
    Address table = 0; ///< .eh_frame_hdr
    std::vector<Row> rows;
};

struct ProgramHeader {
    std::uint32_t type = 0, flags = 0;
    std::uint64_t offset = 0, address = 0, physical = 0, fileBytes = 0, bytes = 0, alignment = 0;
};

/// Where .eh_frame_hdr is; 0: the module has none.
Address tableOf(const MemoryWords& words, Address begin) {
    constexpr std::array<std::uint8_t, 6> kElf64{0x7F, 'E', 'L', 'F', 2, 1};
    constexpr std::uint32_t kLoad = 1, kFrames = 0x6474'E550;
    if (words.valueAt<std::array<std::uint8_t, 6>>(begin) != kElf64) return 0;
    const auto headers = words.pointer(begin + 32);
    const auto count = words.valueAt<std::uint16_t>(begin + 56).value_or(0);
    Address lowest = ~Address{0}, table = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto header = words.valueAt<ProgramHeader>(begin + headers + i * sizeof(ProgramHeader));
        if (!header) return 0;
        if (header->type == kLoad) lowest = std::min(lowest, header->address / kCodePage * kCodePage);
        if (header->type == kFrames) table = header->address;
    }
    return table == 0 || lowest == ~Address{0} ? 0 : begin - lowest + table;
}

void readRows(const MemoryWords& words, CodeModule& module) {
    constexpr std::uint64_t kSortedTable = 0x3B; // the only encoding that linkers create
    std::array<std::uint8_t, 32> start{};
    if (!words.get(module.table, std::as_writable_bytes(std::span(start)))) return;
    FrameBytes reader(start.data(), start.data() + start.size(),
                      module.table - reinterpret_cast<std::uint64_t>(start.data()));
    const auto encodings = reader.take(4); // version, pointer, count, table
    if ((encodings & 0xFF) != 1 || encodings >> 24 != kSortedTable) return;
    static_cast<void>(reader.takePointer(static_cast<std::uint8_t>(encodings >> 8), module.table));
    const auto count = reader.takePointer(static_cast<std::uint8_t>(encodings >> 16), module.table);
    if (count > kMostEntries) return;
    module.rows.resize(count);
    const auto begin = module.table + static_cast<Address>(reader.at() - start.data());
    if (!words.get(begin, std::as_writable_bytes(std::span(module.rows)))) module.rows.clear();
}

/// A copy of a part of .eh_frame without its length.
class EntryBytes {
  public:
    /// False: not readable.
    [[nodiscard]] bool read(const MemoryWords& words, Address entry) {
        const auto bytes = words.valueAt<std::uint32_t>(entry);
        if (!bytes || *bytes > kMostEntryBytes) return false;
        begin_ = entry + sizeof *bytes;
        bytes_.assign(*bytes + std::size_t{agent::kFrameSlack}, 0);
        return words.get(begin_, std::as_writable_bytes(std::span(bytes_)).first(*bytes));
    }
    [[nodiscard]] Address begin() const { return begin_; }
    [[nodiscard]] FrameBytes body() const {
        return {bytes_.data(), bytes_.data() + bytes_.size() - agent::kFrameSlack,
                begin_ - reinterpret_cast<std::uint64_t>(bytes_.data())};
    }

  private:
    std::vector<std::uint8_t> bytes_;
    Address begin_ = 0;
};

/// Where a function has saved registers of its caller, below the frame address: those of FrameRow, then rbp. 0: it has
/// not, so that the registers have the values of its caller.
using SavedBelow = std::array<std::int64_t, agent::kPreserved + 1>;

/// What is known about an instruction.
struct CodePlace {
    FrameRule rule;
    Address function = 0; ///< where its description begins; 0: there is none
    SavedBelow savedBelow = {};
};

/// The code of a process.
class ProcessCode {
  public:
    ProcessCode(const ResidentSample& sample, const MemoryWords& words) : sample_(sample), words_(words) {}

    [[nodiscard]] const CodePlace& at(Address instruction) {
        const auto [place, isNew] = places_.try_emplace(instruction);
        if (isNew) place->second = find(instruction);
        return place->second;
    }
    [[nodiscard]] bool isCode(Address address) const {
        const auto* const mapping = mappingAt(address);
        return mapping != nullptr && (mapping->flags & mapping_flag::kExecute) != 0;
    }
    [[nodiscard]] const Mapping* mappingAt(Address address) const { return references::mappingAt(sample_, address); }
    [[nodiscard]] std::string nameOf(Address function) {
        const auto* const mapping = mappingAt(function);
        if (mapping == nullptr) return {};
        return fmt::format("{}!+0x{:x}", fileName(sample_.nameOf(*mapping)), function - moduleBegin(sample_, *mapping));
    }

  private:
    [[nodiscard]] CodePlace find(Address instruction) {
        CodePlace place{{FrameRule::Kind::Stop, 0, 0}};
        const auto* const mapping = mappingAt(instruction);
        if (mapping == nullptr || (mapping->flags & mapping_flag::kExecute) == 0) return place;
        place.rule.kind = FrameRule::Kind::Guess;
        const auto& module = moduleAt(moduleBegin(sample_, *mapping));
        const auto next =
            std::ranges::upper_bound(module.rows, static_cast<std::int64_t>(instruction - module.table), {},
                                     [](const CodeModule::Row& row) { return std::int64_t{row.start}; });
        FrameEntry entry;
        if (next == module.rows.begin() ||
            !readEntry(module.table + static_cast<Address>(std::int64_t{std::prev(next)->entry}), entry))
            return place;
        if (instruction - entry.start >= entry.bytes) return place;
        FrameRow row;
        place = {frameRuleAt(entry, instruction, row), entry.start};
        const auto below = [](std::int64_t offset) {
            return static_cast<std::int64_t>(0 - static_cast<Address>(offset));
        };
        std::ranges::transform(row.preservedOffsets, place.savedBelow.begin(), below);
        const bool isAligned = place.rule.kind == FrameRule::Kind::AtFramePointer; // rbp is saved, at itself
        place.savedBelow.back() = isAligned ? below(FrameRow::kElsewhere) : place.rule.savedBelow;
        return place;
    }
    [[nodiscard]] bool readEntry(Address at, FrameEntry& entry) {
        if (!function_.read(words_, at)) return false;
        auto body = function_.body();
        const auto back = body.take(4);
        return back != 0 && common_.read(words_, function_.begin() - back) && readCommonEntry(common_.body(), entry) &&
               readFunctionEntry(body, entry);
    }
    [[nodiscard]] const CodeModule& moduleAt(Address begin) {
        const auto [known, isNew] = modules_.try_emplace(begin);
        auto& module = known->second;
        if (!isNew) return module;
        module.begin = begin;
        module.table = tableOf(words_, begin);
        if (module.table != 0) readRows(words_, module);
        return module;
    }

    const ResidentSample& sample_;
    const MemoryWords& words_;
    EntryBytes function_, common_; ///< what the last entry refers to
    std::map<Address, CodeModule> modules_;
    std::unordered_map<Address, CodePlace> places_;
};

/// A frame, and where its function continues.
struct FrameState {
    Address stackPointer = 0;
    Address instruction = 0;
    Address framePointer = 0;
    bool isExact = false; ///< the function was interrupted there; otherwise, it has called another one before
    [[nodiscard]] Address code() const { return isExact ? instruction : instruction - 1; }
};

/// The walk of one stack.
class StackWalk {
  public:
    StackWalk(ProcessCode& code, const MemoryWords& words) : code_(code), words_(words) {}

    void walk(const CopiedThread& thread, StackFrames& found) {
        saved_.clear();
        FrameState at{thread.stackPointer, thread.instruction, thread.registers[kFramePointer], true};
        const auto* const stack = code_.mappingAt(at.stackPointer);
        if (stack == nullptr) return;
        for (std::size_t i = 0; i < kMostFrames; ++i) {
            const auto& place = code_.at(at.code());
            const auto next = callerOf(at, place.rule);
            if (!next || next->stackPointer <= at.stackPointer || next->stackPointer > stack->end) return;
            addFrame({at.stackPointer, next->stackPointer, {}, RootKind::Stack, at.code()}, place, found);
            at = *next;
        }
    }

  private:
    /// A register that a frame has saved, until a caller that uses it is found.
    struct Saved {
        Address begin = 0;
        std::size_t number = 0; ///< in SavedBelow; its size: a register that functions need not preserve
    };

    void addFrame(Variable frame, const CodePlace& place, StackFrames& found) {
        const bool isOfSignal = place.rule.kind == FrameRule::Kind::SignalFrame;
        // Behind it, what the registers of inner frames were is unknown, or they are in a context as well.
        if (isOfSignal || place.function == 0) saved_.clear();
        if (place.function == 0) return;
        frame.name = isOfSignal ? kSignalFrame : code_.nameOf(place.function);
        if (isOfSignal)
            addContext(frame.begin);
        else
            addSaved(frame, place.savedBelow, found.saved);
        found.frames.push_back(std::move(frame));
    }
    /// All registers of the interrupted function, which only preserves some of them.
    void addContext(Address context) {
        constexpr Address kFirst = 40; // in ucontext_t, of r8 to r15, rdi, rsi, rbp, rbx, rdx, rax, rcx
        constexpr std::size_t kOwn = std::tuple_size_v<SavedBelow>;
        constexpr std::array<std::size_t, 15> kNumbers{kOwn, kOwn, kOwn,     kOwn, 1,    2,    3,   4,
                                                       kOwn, kOwn, kOwn - 1, 0,    kOwn, kOwn, kOwn};
        for (std::size_t i = 0; i < kNumbers.size(); ++i)
            saved_.push_back({context + kFirst + i * sizeof(Address), kNumbers[i]});
    }
    /// The values that inner frames have saved are of this frame if it has saved those of its caller itself.
    void addSaved(const Variable& frame, const SavedBelow& savedBelow, std::vector<Variable>& found) {
        std::erase_if(saved_, [&](const Saved& saved) {
            if (saved.number < savedBelow.size() && savedBelow[saved.number] == 0) return false;
            found.push_back({saved.begin, saved.begin + sizeof(Address), frame.name, RootKind::Stack, frame.code});
            return true;
        });
        for (std::size_t i = 0; i < savedBelow.size(); ++i) {
            const auto begin = frame.end - static_cast<Address>(savedBelow[i]);
            if (savedBelow[i] != 0 && begin >= frame.begin && begin < frame.end) saved_.push_back({begin, i});
        }
    }
    [[nodiscard]] std::optional<FrameState> callerOf(const FrameState& from, const FrameRule& rule) const {
        const auto offset = static_cast<Address>(std::int64_t{rule.frameOffset});
        switch (rule.kind) {
        case FrameRule::Kind::StackPointer:
            return frameAt(from.stackPointer + offset, from, rule.savedBelow);
        case FrameRule::Kind::FramePointer:
            return frameAt(from.framePointer + offset, from, rule.savedBelow);
        case FrameRule::Kind::AtFramePointer: {
            auto caller = frameAt(words_.pointer(from.framePointer + offset), from, 0);
            if (caller) caller->framePointer = words_.pointer(from.framePointer);
            return caller;
        }
        case FrameRule::Kind::SignalFrame:
            return interruptedAt(from.stackPointer);
        case FrameRule::Kind::Guess:
            return byFramePointer(from);
        default:
            return std::nullopt;
        }
    }
    /// The return address is below the frame address.
    [[nodiscard]] std::optional<FrameState> frameAt(Address frame, const FrameState& from,
                                                    std::int32_t savedBelow) const {
        const auto returnAddress = words_.at(frame - 8);
        if (!returnAddress) return std::nullopt;
        const auto saved = savedBelow == 0 ? from.framePointer
                                           : words_.pointer(frame - static_cast<Address>(std::int64_t{savedBelow}));
        return FrameState{frame, *returnAddress, saved, false};
    }
    /// ucontext_t of Linux on x86-64, which the system puts there.
    [[nodiscard]] std::optional<FrameState> interruptedAt(Address context) const {
        constexpr Address kSavedFramePointer = 120, kSavedStackPointer = 160, kSavedInstruction = 168;
        return FrameState{words_.pointer(context + kSavedStackPointer), words_.pointer(context + kSavedInstruction),
                          words_.pointer(context + kSavedFramePointer), true};
    }
    /// Generated code. What does not keep frame pointers may have any value there.
    [[nodiscard]] std::optional<FrameState> byFramePointer(const FrameState& from) const {
        constexpr Address kLargestFrame = 1 << 20;
        const auto at = from.framePointer;
        if (at < from.stackPointer || at - from.stackPointer > kLargestFrame || at % 8 != 0) return std::nullopt;
        const auto returnAddress = words_.pointer(at + 8);
        if (!code_.isCode(returnAddress - 1)) return std::nullopt;
        return FrameState{at + 16, returnAddress, words_.pointer(at), false};
    }

    ProcessCode& code_;
    const MemoryWords& words_;
    std::vector<Saved> saved_;
};

} // namespace

StackFrames findStackFrames(const ResidentSample& mappings, std::span<const CopiedThread> threads,
                            const ReadMemory& read) {
    StackFrames found;
    const MemoryWords words(read);
    ProcessCode code(mappings, words);
    StackWalk walk(code, words);
    for (const auto& thread : threads)
        walk.walk(thread, found);
    return found;
}

} // namespace highwater::references
