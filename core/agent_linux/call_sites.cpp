#include "core/agent_linux/call_sites.h"

#include "core/agent_linux/allocator_modules.h"
#include "core/agent_linux/loaded_object.h"
#include "core/agent_linux/system_calls.h"
#include "core/agent_linux/ticks.h"

#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

namespace highwater::agent {

namespace {

constexpr std::uint64_t kPage = 4096;

/// The last module whose calls have been redirected. Our own module is never unloaded, so the search can always start
/// there.
std::atomic<const link_map*> lastDone;
Taken takenCalls = Taken::All;

/// Mutual exclusion of threads. A holder that keeps it for long never releases it, because a signal handler left it
/// with a jump. Two threads that run at the same time write the same values.
class Turn {
  public:
    Turn() {
        std::uint64_t since = sinceNs_.load(std::memory_order_relaxed);
        const std::uint64_t now = monotonicNs();
        constexpr std::uint64_t kLongestNs = 1'000'000'000;
        if (since == 0 || now - since > kLongestNs)
            isOurs_ = sinceNs_.compare_exchange_strong(since, now, std::memory_order_acquire);
    }
    ~Turn() {
        if (isOurs_) sinceNs_.store(0, std::memory_order_release);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    [[nodiscard]] bool isOurs() const { return isOurs_; }

  private:
    static std::atomic<std::uint64_t> sinceNs_;
    bool isOurs_ = false;
};
std::atomic<std::uint64_t> Turn::sinceNs_;

/// A part of a module that is writable, or was writable until the dynamic linker had finished.
struct Place {
    std::uint64_t begin;
    std::uint64_t end;
};

/// The parts of a loaded module that are used here.
struct Module {
    std::uint64_t base = 0;
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
    const std::uint32_t* hashTable = nullptr;
    const ElfW(Rela) * relocations = nullptr;
    std::uint64_t relocationBytes = 0;
    const ElfW(Rela) * calls = nullptr;
    std::uint64_t callBytes = 0;
    Place writable[8] = {};
    unsigned writableCount = 0;
    Place sealed = {};
};

const link_map* ourselves() {
    for (const link_map* module = _r_debug.r_map; module != nullptr; module = module->l_next)
        if (module->l_ld == _DYNAMIC) return module;
    return nullptr;
}

/// In modules loaded by the dynamic linker, addresses in the dynamic section are memory addresses.
template <typename T>
T* pointerIn(const link_map& map, std::uint64_t value) {
    return reinterpret_cast<T*>(value < map.l_addr ? value + map.l_addr : value);
}

void readDynamicSection(const link_map& map, Module& module) {
    for (const ElfW(Dyn)* entry = map.l_ld; entry->d_tag != DT_NULL; ++entry) {
        const std::uint64_t value = entry->d_un.d_val;
        if (entry->d_tag == DT_SYMTAB) module.symbols = pointerIn<const ElfW(Sym)>(map, value);
        if (entry->d_tag == DT_STRTAB) module.names = pointerIn<const char>(map, value);
        if (entry->d_tag == DT_GNU_HASH) module.hashTable = pointerIn<const std::uint32_t>(map, value);
        if (entry->d_tag == DT_RELA) module.relocations = pointerIn<const ElfW(Rela)>(map, value);
        if (entry->d_tag == DT_RELASZ) module.relocationBytes = value;
        if (entry->d_tag == DT_JMPREL) module.calls = pointerIn<const ElfW(Rela)>(map, value);
        if (entry->d_tag == DT_PLTRELSZ) module.callBytes = value;
    }
}

bool readSegments(const dl_find_object& found, Module& module) {
    const auto* start = static_cast<const char*>(found.dlfo_map_start);
    ElfW(Ehdr) header{};
    std::memcpy(&header, start, sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof(ElfW(Phdr))) return false;
    if (header.e_phoff + std::uint64_t{header.e_phnum} * sizeof(ElfW(Phdr)) > kPage) return false;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        ElfW(Phdr) segment{};
        std::memcpy(&segment, start + header.e_phoff + i * sizeof segment, sizeof segment);
        const std::uint64_t begin = module.base + segment.p_vaddr;
        const Place place{begin, begin + segment.p_memsz};
        if (segment.p_type == PT_GNU_RELRO) module.sealed = place;
        if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0 && module.writableCount < 8)
            module.writable[module.writableCount++] = place;
    }
    return true;
}

const Hook* findHook(const Hook* hooks, const char* name) {
    for (const Hook* hook = hooks; hook->name != nullptr; ++hook)
        if (std::strcmp(hook->name, name) == 0) return hook;
    return nullptr;
}

const Hook* findHook(const char* name) {
    if (name[0] == '_' && name[1] == 'Z') { // operators of libstdc++ are not redirected
        const Hook* const hook = findHook(operatorHooks, name);
        return hook != nullptr && *hook->real != nullptr ? hook : nullptr;
    }
    if (takenCalls == Taken::Operators) return nullptr;
    for (const Hook* hooks : {heapHooks, libcHooks, pageHooks, moduleHooks, programHooks, restrictionHooks})
        if (const Hook* const hook = findHook(hooks, name)) return hook;
    return nullptr;
}

bool isIn(const Place& place, std::uint64_t address) { return address >= place.begin && address + 8 <= place.end; }

bool isWritable(const Module& module, std::uint64_t address) {
    for (unsigned i = 0; i < module.writableCount; ++i)
        if (isIn(module.writable[i], address)) return true;
    return false;
}

/// Replaces one word atomically, because other threads may be calling through it.
bool replace(const Module& module, std::uint64_t address, void* with) {
    if (address % 8 != 0 || !isWritable(module, address)) return false;
    const auto page = static_cast<long>(address & ~(kPage - 1));
    // Restores the protection of the page: the linker's sealed range extends to its last whole page.
    const bool isSealed = isIn({module.sealed.begin, module.sealed.end & ~(kPage - 1)}, address);
    if (isSealed && systemCall(SYS_mprotect, page, kPage, PROT_READ | PROT_WRITE) != 0) return false;
    __atomic_store_n(reinterpret_cast<void**>(address), with, __ATOMIC_RELEASE);
    if (isSealed) systemCall(SYS_mprotect, page, kPage, PROT_READ);
    return true;
}

unsigned takeOver(const Module& module, const ElfW(Rela) * relocations, std::uint64_t bytes) {
    unsigned done = 0;
    for (std::uint64_t i = 0; i < bytes / sizeof(ElfW(Rela)); ++i) {
        const ElfW(Rela)& relocation = relocations[i];
        const auto type = ELF64_R_TYPE(relocation.r_info);
        const auto symbol = ELF64_R_SYM(relocation.r_info);
        if (symbol == 0 || (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT && type != R_X86_64_64)) continue;
        const char* name = module.names + module.symbols[symbol].st_name;
        const Hook* hook = findHook(name);
        if (hook == nullptr) continue;
        const std::uint64_t address = module.base + relocation.r_offset;
        // A variable of the program, which may have another value by now.
        if (type == R_X86_64_64 && (hook->real == nullptr || !isWritable(module, address) ||
                                    *reinterpret_cast<void**>(address) != *hook->real))
            continue;
        done += replace(module, address, hook->ours) ? 1 : 0;
    }
    return done;
}

bool isLinker(const link_map& map) {
    dl_find_object found{};
    return findLoadedObject(reinterpret_cast<std::uint64_t>(&_r_debug), found) && found.dlfo_link_map == &map;
}

/// False: the dynamic linker has not finished loading the module.
bool takeOver(const link_map& map, unsigned& done) {
    dl_find_object found{};
    if (!findLoadedObject(reinterpret_cast<std::uint64_t>(map.l_ld), found)) return false;
    Module module;
    module.base = map.l_addr;
    readDynamicSection(map, module);
    if (isLinker(map) || module.symbols == nullptr || module.names == nullptr) return true;
    if (!readSegments(found, module)) return true;
    done += takeOver(module, module.relocations, module.relocationBytes);
    done += takeOver(module, module.calls, module.callBytes);
    return true;
}

std::uint32_t hashOf(const char* name) {
    std::uint32_t hash = 5381;
    for (; *name != 0; ++name)
        hash = hash * 33 + static_cast<unsigned char>(*name);
    return hash;
}

/// The definition of a name in a module, from the module's own table, without the locks and scopes of the dynamic
/// linker.
void* definitionIn(const Module& module, const char* name) {
    if (module.hashTable == nullptr || module.symbols == nullptr || module.names == nullptr) return nullptr;
    const std::uint32_t* const table = module.hashTable;
    const std::uint32_t bucketCount = table[0], firstSymbol = table[1], filterWords = table[2];
    const std::uint32_t* const buckets = table + 4 + 2 * std::uint64_t{filterWords};
    const std::uint32_t* const chain = buckets + bucketCount;
    if (bucketCount == 0) return nullptr;
    const std::uint32_t hash = hashOf(name);
    for (std::uint32_t i = buckets[hash % bucketCount]; i >= firstSymbol && i != 0; ++i) {
        const std::uint32_t entry = chain[i - firstSymbol];
        const ElfW(Sym)& symbol = module.symbols[i];
        const bool isFunction = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF;
        if ((entry | 1) == (hash | 1) && isFunction && std::strcmp(module.names + symbol.st_name, name) == 0)
            return reinterpret_cast<void*>(module.base + symbol.st_value);
        if ((entry & 1) != 0) break;
    }
    return nullptr;
}

/// Whether the module imports an allocation function that its operators may use.
bool callsAllocator(const Module& module) {
    static constexpr const char* kNames[] = {"malloc",        "calloc",         "realloc",
                                             "aligned_alloc", "posix_memalign", "memalign"};
    const auto isAsked = [&](const ElfW(Rela) * relocations, std::uint64_t bytes) {
        for (std::uint64_t i = 0; i < bytes / sizeof(ElfW(Rela)); ++i) {
            const char* const name = module.names + module.symbols[ELF64_R_SYM(relocations[i].r_info)].st_name;
            for (const char* const wanted : kNames)
                if (std::strcmp(name, wanted) == 0) return true;
        }
        return false;
    };
    return isAsked(module.relocations, module.relocationBytes) || isAsked(module.calls, module.callBytes);
}

/// A library that has its own malloc, or whose operators cannot call another one. The program itself calls its own
/// operators without the dynamic linker.
bool hasOwnOperators(const void* function) {
    dl_find_object found{};
    if (!findLoadedObject(reinterpret_cast<std::uint64_t>(function), found)) return false;
    const link_map& map = *found.dlfo_link_map;
    if (&map == ourselves() || map.l_name == nullptr || *map.l_name == '\0') return false;
    Module module;
    module.base = map.l_addr;
    readDynamicSection(map, module);
    if (module.symbols == nullptr || module.names == nullptr) return false;
    return definitionIn(module, "malloc") != nullptr || !callsAllocator(module);
}

} // namespace

bool findOwnOperators() {
    bool isAny = false;
    for (const Hook* hook = operatorHooks; hook->name != nullptr; ++hook) {
        void* const function = findAfterProgram(hook->name); // dlsym allocates if the name does not exist
        if (function == nullptr || !hasOwnOperators(function)) continue;
        *const_cast<void**>(hook->real) = function;
        noteAllocator(function);
        isAny = true;
    }
    return isAny;
}

// Not with dlsym: if the program takes the address of the function, dlsym returns a stub in the program that jumps to
// the current target of its calls, which is our hook.
void* findAfterProgram(const char* name) {
    const link_map* const self = ourselves();
    for (const link_map* map = _r_debug.r_map; map != nullptr; map = map->l_next) {
        dl_find_object found{};
        if (map == self || isLinker(*map) || _dl_find_object == nullptr || _dl_find_object(map->l_ld, &found) != 0)
            continue;
        Module module;
        module.base = map->l_addr;
        readDynamicSection(*map, module);
        if (void* const function = definitionIn(module, name)) return function;
    }
    return nullptr;
}

bool isFirstInLine() {
    // Two results, because a program may have its own malloc.
    for (const Hook* hook : {heapHooks, moduleHooks})
        if (dlsym(RTLD_DEFAULT, hook->name) == hook->ours) return true;
    return false;
}

bool takeOverCalls(Taken taken) {
    const link_map* const self = ourselves();
    const Turn turn;
    if (self == nullptr || !turn.isOurs()) return false;
    takenCalls = taken;
    unsigned done = 0;
    for (const link_map* map = _r_debug.r_map; map != nullptr; map = map->l_next)
        if (map != self) takeOver(*map, done);
    lastDone.store(self, std::memory_order_release);
    return done != 0;
}

void takeOverNewModules() {
    const link_map* last = lastDone.load(std::memory_order_acquire);
    if (last == nullptr || last->l_next == nullptr) return;
    const Turn turn;
    if (!turn.isOurs()) return; // the other thread does it
    unsigned done = 0;
    while (last->l_next != nullptr && takeOver(*last->l_next, done))
        last = last->l_next;
    lastDone.store(last, std::memory_order_release);
}

void recheckModules() {
    if (lastDone.load(std::memory_order_relaxed) != nullptr) lastDone.store(ourselves(), std::memory_order_release);
}

} // namespace highwater::agent
