#include "core/pipeline/core_files/core_notes.h"

#include "core/base/text.h"
#include "core/event/resident_sample.h"
#include "core/symbols/elf/elf_notes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace highwater::pipeline {
namespace {

constexpr std::uint32_t kThread = 1, kProcess = 3, kAuxiliary = 6, kFiles = 0x46494C45; // NT_PRSTATUS, ... NT_FILE

// struct elf_prstatus of x86-64
constexpr std::size_t kTidAt = 32, kRegistersAt = 112;
constexpr std::size_t kRegisters = 27;
/// The positions of the general registers in struct user_regs_struct, in the order of DWARF.
constexpr std::array<std::size_t, 16> kGeneral{10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0};
constexpr std::size_t kInstruction = 16, kStackPointer = 19, kThreadPointer = 21;

// struct elf_prpsinfo of x86-64
constexpr std::size_t kPidAt = 24, kNameAt = 40, kNameBytes = 16;

// Elf64_auxv_t
constexpr std::uint64_t kRandomBytes = 25, kProgramPath = 31; // AT_RANDOM, AT_EXECFN

void addThread(ByteSpan status, CoreNotes& notes) {
    if (status.size() < kRegistersAt + kRegisters * sizeof(std::uint64_t)) return;
    const auto registerAt = [&](std::size_t number) {
        return loadUnchecked<std::uint64_t>(status.data() + kRegistersAt + number * sizeof(std::uint64_t));
    };
    auto& thread = notes.threads.emplace_back();
    thread.tid = loadUnchecked<std::uint32_t>(status.data() + kTidAt);
    thread.instruction = registerAt(kInstruction);
    thread.stackPointer = registerAt(kStackPointer);
    thread.threadPointer = registerAt(kThreadPointer);
    for (std::size_t i = 0; i < kGeneral.size(); ++i)
        thread.registers[i] = registerAt(kGeneral[i]);
}

void addProcess(ByteSpan info, CoreNotes& notes) {
    if (info.size() < kNameAt + kNameBytes) return;
    notes.pid = loadUnchecked<std::uint32_t>(info.data() + kPidAt);
    notes.program = printable(ByteReader(info.subspan(kNameAt, kNameBytes)).takeNarrow());
}

void addAuxiliary(ByteSpan pairs, CoreNotes& notes) {
    for (ByteReader reader(pairs); reader.remaining() >= 2 * sizeof(std::uint64_t);) {
        const auto key = reader.take<std::uint64_t>(), value = reader.take<std::uint64_t>();
        if (key == kRandomBytes || key == kProgramPath) notes.onStack = *value;
    }
}

/// u64 count, u64 unit of the offsets; for each begin, end and offset; then their names, each with a NUL.
void addFiles(ByteSpan content, CoreNotes& notes) {
    constexpr std::size_t kEach = 3 * sizeof(std::uint64_t);
    ByteReader reader(content);
    const auto count = reader.take<std::uint64_t>(), unit = reader.take<std::uint64_t>();
    if (!unit || *count > reader.remaining() / kEach) return;
    ByteReader names(content.subspan(reader.offset() + static_cast<std::size_t>(*count) * kEach));
    for (std::uint64_t i = 0; i < *count; ++i) {
        const auto begin = *reader.take<Address>(), end = *reader.take<Address>();
        std::uint64_t offset = 0;
        const bool isOffset = !__builtin_mul_overflow(*reader.take<std::uint64_t>(), *unit, &offset);
        auto name = names.takeNarrow();
        const bool arePages = begin % kResidentPageBytes == 0 && end % kResidentPageBytes == 0;
        if (begin < end && arePages && isOffset && !name.empty())
            notes.files.push_back({begin, end, offset, std::move(name)});
    }
}

} // namespace

void addCoreNotes(ByteSpan bytes, CoreNotes& notes) {
    ByteReader reader(bytes);
    while (const auto note = symbols::takeNote(reader)) {
        if (note->owner != "CORE") continue;
        if (note->type == kThread) addThread(note->content, notes);
        if (note->type == kProcess) addProcess(note->content, notes);
        if (note->type == kAuxiliary) addAuxiliary(note->content, notes);
        if (note->type == kFiles) addFiles(note->content, notes);
    }
}

void finishNotes(CoreNotes& notes) {
    std::ranges::stable_sort(notes.files, {}, &CoreMappedFile::begin);
    Address reached = 0;
    const auto gone = std::ranges::remove_if(notes.files, [&](const CoreMappedFile& file) {
        if (file.begin < reached) return true;
        reached = file.end;
        return false;
    });
    notes.files.erase(gone.begin(), gone.end());
    for (auto& thread : notes.threads)
        if (thread.tid == notes.pid) thread.name = notes.program;
}

} // namespace highwater::pipeline
