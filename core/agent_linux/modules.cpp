#include "core/agent_linux/modules.h"

#include "core/agent_linux/call_frame_rules.h"
#include "core/agent_linux/loaded_object.h"
#include "core/agent_linux/record_writer.h"
#include "core/agent_linux/recording_state.h"
#include "core/agent_linux/system_calls.h"

#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

namespace highwater::agent {

namespace {

// Base addresses of reported modules. The lowest bit means that a thread is about to report it. Modules beyond the
// limit are reported with every stack through them.
constexpr std::uint32_t kMostModules = 4096;
std::atomic<std::uint64_t> reported[kMostModules];
constexpr std::uint64_t kGone = 2; ///< a deleted entry: a search continues after it

struct BuildId {
    const unsigned char* bytes = nullptr;
    std::uint32_t size = 0;
};

BuildId buildIdIn(const char* notes, std::uint64_t bytes) {
    std::uint64_t at = 0;
    while (at + sizeof(Elf64_Nhdr) <= bytes) {
        Elf64_Nhdr note{};
        std::memcpy(&note, notes + at, sizeof note);
        const std::uint64_t name = at + sizeof note;
        const std::uint64_t description = name + ((note.n_namesz + 3u) & ~3u);
        if (description + note.n_descsz > bytes) break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes + name, "GNU", 4) == 0)
            return {reinterpret_cast<const unsigned char*>(notes + description), note.n_descsz};
        at = description + ((note.n_descsz + 3u) & ~3u);
    }
    return {};
}

/// From the notes of a loaded module.
BuildId buildIdOf(const dl_find_object& module) {
    const auto* base = static_cast<const char*>(module.dlfo_map_start);
    const auto bytes = static_cast<std::uint64_t>(static_cast<const char*>(module.dlfo_map_end) - base);
    Elf64_Ehdr header{};
    std::memcpy(&header, base, sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
    const std::uint64_t programHeaderBytes = std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
    if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phoff + programHeaderBytes > 4096) return {};
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment{};
        std::memcpy(&segment, base + header.e_phoff + i * sizeof segment, sizeof segment);
        const std::uint64_t at = module.dlfo_link_map->l_addr + segment.p_vaddr;
        const std::uint64_t distance = at - reinterpret_cast<std::uint64_t>(base);
        if (segment.p_type != PT_NOTE || distance >= bytes || segment.p_memsz > bytes - distance) continue;
        const BuildId found = buildIdIn(base + distance, segment.p_memsz);
        if (found.size != 0) return found;
    }
    return {};
}

bool writeModule(RecordWriter& writer, const dl_find_object& module) {
    const char* path = module.dlfo_link_map->l_name;
    const bool isProgram = path == nullptr || *path == 0;
    if (isProgram) {
        auto& program = threadLocal.state->path;
        const long bytes = systemCall(SYS_readlink, reinterpret_cast<long>("/proc/self/exe"),
                                      reinterpret_cast<long>(program), sizeof program - 1);
        program[bytes < 0 ? 0 : bytes] = 0;
        path = program;
    }
    const auto base = reinterpret_cast<std::uint64_t>(module.dlfo_map_start);
    const BuildId buildId = buildIdOf(module);
    return writer.writeModule(base, reinterpret_cast<std::uint64_t>(module.dlfo_map_end) - base, path, buildId.bytes,
                              buildId.size, isProgram);
}

/// If several threads encounter a module at the same time, all of them report it, because its record must precede each
/// thread's stack.
void reportOnce(RecordWriter& writer, const dl_find_object& module) {
    const auto base = reinterpret_cast<std::uint64_t>(module.dlfo_map_start);
    std::atomic<std::uint64_t>* place = nullptr;
    for (std::uint32_t step = 0, i = static_cast<std::uint32_t>(base >> 12); step < kMostModules && place == nullptr;
         ++step, ++i) {
        auto& entry = reported[i % kMostModules];
        std::uint64_t known = entry.load(std::memory_order_acquire);
        if (known == base) return;
        if (known == 0 && entry.compare_exchange_strong(known, base | 1, std::memory_order_acq_rel)) known = base | 1;
        if (known == base) return;
        if (known == (base | 1)) place = &entry;
    }
    if (writeModule(writer, module) && place != nullptr) place->store(base, std::memory_order_release);
}

} // namespace

void reportModules() {
    RecordWriter writer;
    if (!writer.isOpen()) return;
    dl_find_object found{};
    for (const link_map* module = _r_debug.r_map; module != nullptr; module = module->l_next)
        if (findLoadedObject(reinterpret_cast<std::uint64_t>(module->l_ld), found)) reportOnce(writer, found);
}

void reportModuleOf(RecordWriter& writer, std::uint64_t returnAddress) {
    dl_find_object found{};
    if (findLoadedObject(returnAddress, found)) reportOnce(writer, found);
}

void reportUnloaded() {
    RecordWriter writer;
    if (!writer.isOpen()) return;
    bool isAnyGone = false;
    for (auto& entry : reported) {
        std::uint64_t base = entry.load(std::memory_order_acquire);
        dl_find_object found{};
        if (base <= kGone || (base & 1) != 0 || findLoadedObject(base, found)) continue;
        if (!entry.compare_exchange_strong(base, kGone, std::memory_order_acq_rel)) continue;
        writer.write(RecordOp::ModuleGone, {base});
        isAnyGone = true;
    }
    if (!isAnyGone) return;
    frameRules.forget();
    // Other code may be loaded at the same address, and its stacks need other keys.
    const std::uint64_t seed = recording.seed.load(std::memory_order_relaxed);
    recording.seed.store(seed * 0x9E3779B97F4A7C15ull + 1, std::memory_order_relaxed);
}

void reportModulesAgain() {
    RecordWriter writer;
    if (!writer.isOpen()) return;
    for (auto& entry : reported) {
        const std::uint64_t base = entry.load(std::memory_order_relaxed) & ~std::uint64_t{1};
        dl_find_object found{};
        if (base > kGone && findLoadedObject(base, found) && writeModule(writer, found))
            entry.store(base, std::memory_order_relaxed);
    }
}

} // namespace highwater::agent
