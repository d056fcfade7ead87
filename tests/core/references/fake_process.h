#pragma once

#include "core/references/references.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::tests {

/// Flags of mappings, as in /proc/PID/maps.
inline constexpr std::uint32_t kReadOnly = mapping_flag::kRead, kReadWrite = mapping_flag::kRead | mapping_flag::kWrite,
                               kReadExecute = mapping_flag::kRead | mapping_flag::kExecute,
                               kPrivateFile = kReadWrite | mapping_flag::kFile, kInaccessible = 0;

/// Memory of a process for tests: words that are zero unless set, in mappings. At first it has a heap at kHeap, and
/// data of libapp.so at kData.
class FakeProcess {
  public:
    static constexpr Address kHeap = 0x1000'0000, kData = 0x7F00'0000'0000;
    static constexpr ByteCount kHeapBytes = 16 << 20, kDataBytes = 1 << 20;

    FakeProcess();
    /// Without any mapping.
    static FakeProcess withoutMappings();

    FakeProcess& mapping(Address begin, Address end, std::uint32_t flags, std::string_view name);
    /// Of the mapping at `begin`, only these pages were ever touched; by address.
    FakeProcess& touched(Address begin, const std::vector<Address>& pages);
    FakeProcess& block(Address address, ByteCount bytes);
    FakeProcess& word(Address address, std::uint64_t value);
    /// A global variable with this value. Returns its address.
    Address variable(std::uint64_t value);
    /// A symbol of data at this address, thread-local or not; or, on a stack, a frame of a function with this name.
    FakeProcess& symbol(Address address, ByteCount bytes, std::string_view name, RootKind kind = RootKind::Variable);
    /// Thread-local data of a thread, of the module that has the mapping at `file`.
    FakeProcess& threadLocals(Address begin, Address end, std::uint32_t thread, Address file);
    FakeProcess& endedStack(const references::EndedStack& stack);
    /// The table of virtual functions of a class; `point` may be where its address point is stored.
    FakeProcess& virtualTable(Address begin, ByteCount bytes, Address point, std::string_view type,
                              bool isStored = false);
    /// The data of the module that begins at `begin` ends at `end`.
    FakeProcess& module(Address begin, Address end);
    /// A thread with a stack of 64 KB, and its control block at the end of it.
    CopiedThread& thread(std::uint32_t tid, std::string_view name);
    FakeProcess& unreadable(Address page);
    FakeProcess& unknownBlocks(); ///< sets Memory::hasUnknownBlocks
    [[nodiscard]] std::vector<CopiedThread>& threads() { return memory_.threads; }

    [[nodiscard]] references::Memory memory() const;
    /// What findReferences() returns for it; the test fails if it fails, or if the picture is not valid.
    [[nodiscard]] MemoryPicture picture() const;
    [[nodiscard]] std::size_t read(Address from, std::span<std::byte> to) const;

  private:
    [[nodiscard]] bool isReadable(Address page) const;

    references::Memory memory_;
    std::map<Address, std::uint64_t> words_;
    std::set<Address> unreadable_;
    Address nextVariable_ = kData;
    Address nextStack_ = 0x7E00'0000'0000;
};

/// Where a block of the picture is: its number; fails if there is none.
std::uint32_t numberAt(const MemoryPicture& picture, Address address);

/// "reachable" etc.: each block of the picture with its holder and its dominator, one a line, to compare and to print:
/// "10000000 reachable, held by variable 7f0000000000 libapp.so" (", and dominated" if only it keeps the block) or
/// "10000020 possible, held by 10000000, dominated by 10000010".
std::string textOf(const MemoryPicture& picture);

} // namespace highwater::tests
