#include "core/references/thread_library.h"

#include "core/event/resident_sample.h"
#include "core/references/memory_words.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace highwater::references {
namespace {

constexpr std::string_view kDescription = "_thread_db_";
constexpr std::string_view kLoaderState = "_rtld_global";
constexpr std::uint64_t kMostModules = 1 << 16, kMostStacks = 1 << 16;
constexpr Address kVectorEntry = 16;    // a pointer to the data, and one to what free() needs
constexpr Address kOwnAddress = 16;     // in a control block, after two pointers; also its first word
constexpr Address kDynamicSection = 16; // in the public part of the description of a module: base, name, this, next
constexpr std::uint64_t kNotAllocated = ~std::uint64_t{0};

/// Where a field is in its structure.
struct LibraryField {
    Address offset = 0;
    std::uint32_t bytes = 0; ///< of an array: of an element
};

/// The fields that are needed. The names are those of glibc without kDescription.
struct LibraryLayout {
    LibraryField modules, stacks, length, next, entries, module, generation, number, offset, vector, list, thread,
        start;
    std::uint32_t controlBlockBytes = 0;

    /// Nothing: the library does not describe all of them, or not as on x86-64.
    static std::optional<LibraryLayout> read(const LibrarySymbols& symbols, const MemoryWords& words) {
        LibraryLayout layout;
        bool isComplete = true;
        const auto addressOf = [&](std::string_view name) {
            const auto symbol = symbols.find(std::string(kDescription).append(name));
            return symbol == symbols.end() ? 0 : symbol->second;
        };
        const auto take = [&](LibraryField& field, std::string_view name, std::uint32_t bytes) {
            std::array<std::uint32_t, 3> parts{}; // bits of an element, elements, offset
            isComplete = isComplete && words.get(addressOf(name), std::as_writable_bytes(std::span(parts))) &&
                         parts[0] == bytes * 8 && parts[2] < kResidentPageBytes * 4;
            field = {parts[2], bytes};
        };
        take(layout.modules, "rtld_global__dl_tls_dtv_slotinfo_list", 8);
        take(layout.stacks, "rtld_global__dl_stack_user", 16);
        take(layout.length, "dtv_slotinfo_list_len", 8);
        take(layout.next, "dtv_slotinfo_list_next", 8);
        take(layout.entries, "dtv_slotinfo_list_slotinfo", 16);
        take(layout.module, "dtv_slotinfo_map", 8);
        take(layout.generation, "dtv_slotinfo_gen", 8);
        take(layout.number, "link_map_l_tls_modid", 8);
        take(layout.offset, "link_map_l_tls_offset", 8);
        take(layout.vector, "pthread_dtvp", 8);
        take(layout.list, "pthread_list", 16);
        take(layout.thread, "pthread_tid", 4);
        take(layout.start, "pthread_start_routine", 8);
        std::uint32_t bytes = 0;
        isComplete = isComplete && words.get(addressOf("sizeof_pthread"), std::as_writable_bytes(std::span(&bytes, 1)));
        layout.controlBlockBytes = bytes;
        if (!isComplete || bytes < layout.start.offset || bytes > kResidentPageBytes * 4) return std::nullopt;
        return layout;
    }
};

/// A module with thread-local data.
struct TlsModule {
    Address description = 0;
    std::uint64_t number = 0;
    std::uint64_t generation = 0; ///< of the lists of threads, from which on they contain the module
    std::uint64_t offset = 0;     ///< of its data below the control block of each thread; kDynamic: none
};

constexpr std::uint64_t kDynamic = 0;

class LibraryReader {
  public:
    LibraryReader(const LibraryLayout& layout, Address state, const MemoryWords& words)
        : layout_(layout), state_(state), words_(words) {}

    [[nodiscard]] std::vector<TlsModule> modules() const {
        std::vector<TlsModule> found;
        std::uint64_t first = 0;
        for (auto part = words_.pointer(state_ + layout_.modules.offset); part != 0 && first < kMostModules;
             part = words_.pointer(part + layout_.next.offset)) {
            const auto length = words_.at(part + layout_.length.offset).value_or(0);
            if (length == 0 || length > kMostModules) break;
            for (std::uint64_t i = 0; i < length; ++i)
                addModule(part + layout_.entries.offset + i * layout_.entries.bytes, first + i, found);
            first += length;
        }
        return found;
    }

    /// Whether a control block is there.
    [[nodiscard]] bool isThread(Address pointer) const {
        return pointer != 0 && words_.at(pointer) == pointer && words_.at(pointer + kOwnAddress) == pointer;
    }

    [[nodiscard]] Address blockOf(const TlsModule& module, Address pointer) const {
        const auto vector = words_.pointer(pointer + layout_.vector.offset);
        const auto generation = words_.at(vector), entries = words_.at(vector - kVectorEntry);
        if (vector == 0 || !generation || !entries) return 0;
        const bool isListed = *generation >= module.generation && *entries >= module.number;
        const auto listed = isListed ? words_.at(vector + module.number * kVectorEntry).value_or(0) : kNotAllocated;
        const bool isAllocated = listed != kNotAllocated && listed != 0;
        if (module.offset == kDynamic) return isAllocated ? listed : 0;
        const auto fixed = pointer - module.offset;
        return isAllocated && listed != fixed ? 0 : fixed;
    }

    /// The list of unused stacks follows that of stacks that the program provides.
    [[nodiscard]] std::vector<EndedStack> endedStacks() const {
        std::vector<EndedStack> found;
        const auto head = state_ + layout_.stacks.offset + layout_.stacks.bytes;
        auto before = head;
        for (auto at = words_.pointer(head); at != head; at = words_.pointer(at)) {
            // Both directions must agree, or this is no list.
            if (at == 0 || words_.pointer(at + 8) != before || found.size() == kMostStacks) return {};
            if (auto stack = endedStack(at - layout_.list.offset)) found.push_back(std::move(*stack));
            before = at;
        }
        return words_.pointer(head + 8) == before ? found : std::vector<EndedStack>();
    }

  private:
    void addModule(Address entry, std::uint64_t number, std::vector<TlsModule>& found) const {
        const auto description = words_.pointer(entry + layout_.module.offset);
        const auto generation = words_.at(entry + layout_.generation.offset);
        if (description == 0 || !generation) return;
        if (words_.at(description + layout_.number.offset) != number) return;
        const auto offset = words_.at(description + layout_.offset.offset);
        if (!offset) return;
        constexpr std::uint64_t kNever = ~std::uint64_t{0}, kMost = std::uint64_t{1} << 32;
        if (*offset != kDynamic && *offset != kNever && *offset > kMost) return;
        found.push_back({description, number, *generation, *offset == kNever ? kDynamic : *offset});
    }

    /// The system sets the number of a thread to 0 when it has ended, and pthread_join() to -1.
    [[nodiscard]] std::optional<EndedStack> endedStack(Address pointer) const {
        const auto thread = words_.at(pointer + layout_.thread.offset, layout_.thread.bytes);
        const bool hasEnded = thread && static_cast<std::int32_t>(static_cast<std::uint32_t>(*thread)) <= 0;
        if (!hasEnded || !isThread(pointer)) return std::nullopt;
        const auto end =
            (pointer + layout_.controlBlockBytes + kResidentPageBytes - 1) / kResidentPageBytes * kResidentPageBytes;
        const auto begin = beginOf(pointer, end);
        if (!begin) return std::nullopt;
        EndedStack stack{{*begin, end}, pointer + layout_.vector.offset, {}};
        const auto vector = words_.pointer(stack.vector);
        const auto entries = vector == 0 ? 0 : words_.at(vector - kVectorEntry).value_or(0);
        for (std::uint64_t i = 1; i <= std::min(entries, kMostModules); ++i) {
            const auto data = words_.pointer(vector + i * kVectorEntry);
            const bool isOwn = data >= *begin && data < end;
            if (data != 0 && data != kNotAllocated && !isOwn) stack.threadLocals.push_back(data);
        }
        return stack;
    }
    /// The control block contains the start of the stack and then its size. Nothing describes where, but both together
    /// must be the end.
    [[nodiscard]] std::optional<Address> beginOf(Address pointer, Address end) const {
        constexpr Address kSmallest = 16384;
        std::vector<std::uint64_t> words((layout_.controlBlockBytes - layout_.start.offset) / 8);
        if (!words_.get(pointer + layout_.start.offset, std::as_writable_bytes(std::span(words)))) return std::nullopt;
        for (std::size_t i = 0; i + 1 < words.size(); ++i) {
            const auto begin = words[i], bytes = words[i + 1];
            if (begin % kResidentPageBytes == 0 && begin < end && bytes == end - begin && bytes >= kSmallest)
                return begin;
        }
        return std::nullopt;
    }

    const LibraryLayout& layout_;
    Address state_;
    const MemoryWords& words_;
};

} // namespace

bool isLibrarySymbol(std::string_view name) { return name == kLoaderState || name.starts_with(kDescription); }

ThreadLibrary readThreadLibrary(const LibrarySymbols& symbols, std::span<const CopiedThread> threads,
                                const ReadMemory& read) {
    ThreadLibrary found;
    const MemoryWords words(read);
    const auto state = symbols.find(kLoaderState);
    const auto layout = state == symbols.end() ? std::nullopt : LibraryLayout::read(symbols, words);
    if (!layout) return found;
    const LibraryReader reader(*layout, state->second, words);
    std::vector<bool> areThreads;
    for (const auto& thread : threads)
        areThreads.push_back(reader.isThread(thread.threadPointer));
    for (const auto& module : reader.modules()) {
        auto& locals = found.modules.emplace_back();
        locals.dynamicSection = words.pointer(module.description + kDynamicSection);
        for (std::size_t i = 0; i < threads.size(); ++i)
            locals.blocks.push_back(areThreads[i] ? reader.blockOf(module, threads[i].threadPointer) : 0);
    }
    found.ended = reader.endedStacks();
    return found;
}

} // namespace highwater::references
