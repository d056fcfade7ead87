#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <sys/stat.h>

/// Detects obstacles to loading the agent into a program, from the program's file. The recorder checks them before it
/// starts a program, and the agent before a recorded program executes or starts another one. Neither allocates memory
/// nor changes errno, because the caller may be a vfork child.
namespace highwater::agent {

enum class Obstacle : std::uint32_t {
    None,
    // The dynamic linker would do harm, or complain, if it were asked to load the agent.
    Of32Bits,
    OtherProcessor,
    OtherLibc, ///< detail: its dynamic linker
    Sanitizer, ///< detail: its entry function
    // The agent would not be loaded.
    Static,
    OwnRights, ///< setuid, setgid, capabilities
    // The system does not start the program.
    MissingLinker,      ///< detail: the missing dynamic linker
    MissingInterpreter, ///< detail: the missing interpreter
    SharedLibrary,
    NotExecutable, ///< an ELF file that is not a program: an object file, a core dump, or a damaged file
    // Only for the agent.
    OutOfReach, ///< the program will not find the channel or the library because it has another / or /proc
    OtherUser,  ///< the program may not open them
    // The system does not start the program, or it ends at once.
    CutOff, ///< an ELF file without all bytes that its headers refer to
};
inline constexpr std::uint32_t kObstacles = static_cast<std::uint32_t>(Obstacle::CutOff) + 1;

/// Whether the agent's variables must be removed from the program's environment, because it would not run as usual.
[[nodiscard]] inline bool isHarmedByAgent(Obstacle obstacle) {
    return obstacle >= Obstacle::Of32Bits && obstacle <= Obstacle::Sanitizer;
}

inline constexpr std::size_t kMostProgramPath = 4096;

/// An obstacle and the file that it is in: that of the program, or of a script's interpreter.
struct ProgramFinding {
    Obstacle obstacle = Obstacle::None;
    bool isElf = false;          ///< false with None: neither a program nor a script, or not readable
    bool isScript = false;       ///< its file names an interpreter
    std::uint16_t processor = 0; ///< OtherProcessor: an EM_ number
    char file[kMostProgramPath] = {};
    char detail[256] = {};
};

inline void copyText(char* into, const char* text, std::size_t size) {
    const std::size_t length = std::strlen(text);
    const std::size_t most = length < size ? length : size - 1;
    std::memmove(into, text, most);
    into[most] = '\0';
}

/// Reads a file with `long read(offset, into, bytes)`, which returns the number of bytes read, or less than 0.
template <typename File>
class ElfProgram {
  public:
    explicit ElfProgram(const File& file) : file_(file) {}

    /// False: not an ELF file.
    [[nodiscard]] bool isElf() {
        headerBytes_ = file_.read(0, &header_, sizeof header_);
        return headerBytes_ >= SELFMAG && std::memcmp(header_.e_ident, ELFMAG, SELFMAG) == 0;
    }
    [[nodiscard]] Obstacle obstacle(ProgramFinding& finding) {
        constexpr auto kToMachine = static_cast<long>(offsetof(Elf64_Ehdr, e_machine) + sizeof header_.e_machine);
        if (headerBytes_ < kToMachine) return Obstacle::CutOff;
        const bool isLittle = header_.e_ident[EI_DATA] == ELFDATA2LSB;
        finding.processor = isLittle ? header_.e_machine : __builtin_bswap16(header_.e_machine);
        const bool isX86 = header_.e_machine == EM_386 || header_.e_machine == EM_X86_64;
        if (!isX86 || !isLittle) return Obstacle::OtherProcessor;
        if (header_.e_ident[EI_CLASS] == ELFCLASS32) return Obstacle::Of32Bits;
        if (headerBytes_ < static_cast<long>(sizeof header_)) return Obstacle::CutOff;
        const bool isProgram = header_.e_type == ET_EXEC || header_.e_type == ET_DYN;
        if (!isProgram || header_.e_phentsize != sizeof(Elf64_Phdr)) return Obstacle::NotExecutable;
        if (isCutOff()) return Obstacle::CutOff;
        Elf64_Phdr interpreter{};
        if (!find(PT_INTERP, interpreter)) {
            if (isOfGlibc()) return Obstacle::None; // the dynamic linker, which can load a program itself
            return header_.e_entry == 0 ? Obstacle::SharedLibrary : Obstacle::Static;
        }
        readText(interpreter.p_offset, interpreter.p_filesz, finding.detail, sizeof finding.detail);
        return Obstacle::None;
    }
    /// Whether the file is glibc's dynamic linker, under any name.
    [[nodiscard]] bool isOfGlibc() {
        char name[32] = {};
        if (!findDynamic() || soname_ == 0) return false;
        readText(strings_ + soname_, stringBytes_ - soname_, name, sizeof name);
        return std::strncmp(name, "ld-linux", std::strlen("ld-linux")) == 0;
    }
    /// The entry function of a sanitizer runtime that replaces the allocator; null: none.
    [[nodiscard]] const char* sanitizer() {
        static constexpr const char* kNames[] = {"asan_init", "hwasan_init", "lsan_init", "msan_init", "tsan_init"};
        static constexpr const char* kFunctions[] = {"__asan_init", "__hwasan_init", "__lsan_init", "__msan_init",
                                                     "__tsan_init"};
        const char* found = nullptr;
        eachName("__", [&found](const char* rest) {
            for (std::size_t i = 0; i < sizeof kNames / sizeof *kNames; ++i)
                if (std::strcmp(rest, kNames[i]) == 0) found = kFunctions[i];
        });
        return found;
    }
    /// Calls `take` with the rest of each name that starts with `begin`, among dynamic symbols, libraries and versions:
    /// up to 32 bytes.
    template <typename Take>
    void eachName(const char* begin, const Take& take) {
        if (!findDynamic()) return;
        constexpr std::size_t kLongest = 32;
        const std::size_t length = std::strlen(begin);
        char block[4096 + kLongest + 1];
        const std::uint64_t end = strings_ + (stringBytes_ < kMostStrings ? stringBytes_ : kMostStrings);
        for (std::uint64_t at = strings_; at < end; at += 4096) {
            const std::uint64_t left = end - at;
            const long bytes =
                file_.read(at, block, left < sizeof block - 1 ? static_cast<std::size_t>(left) : sizeof block - 1);
            if (bytes <= 0) return;
            block[bytes] = '\0';
            for (long i = 0; i < bytes && i < 4096; ++i) {
                if (block[i] != '\0' || std::strncmp(block + i + 1, begin, length) != 0) continue;
                char rest[kLongest + 1];
                copyText(rest, block + i + 1 + length, sizeof rest);
                take(rest);
            }
        }
    }

  private:
    static constexpr std::uint64_t kMostStrings = 8u << 20;
    static constexpr unsigned kMostSegments = 256, kMostDynamic = 1024;

    template <typename T>
    [[nodiscard]] bool readAt(std::uint64_t offset, T& into) const {
        return file_.read(offset, &into, sizeof into) == static_cast<long>(sizeof into);
    }
    void readText(std::uint64_t offset, std::uint64_t bytes, char* into, std::size_t size) const {
        const std::size_t most = bytes < size - 1 ? static_cast<std::size_t>(bytes) : size - 1;
        const long count = file_.read(offset, into, most);
        into[count > 0 ? count : 0] = '\0';
    }
    template <typename Accept>
    [[nodiscard]] bool findSegment(const Accept& accept, Elf64_Phdr& segment) const {
        const unsigned count = header_.e_phnum < kMostSegments ? header_.e_phnum : kMostSegments;
        for (unsigned i = 0; i < count; ++i) {
            std::uint64_t at = 0;
            if (__builtin_add_overflow(header_.e_phoff, std::uint64_t{i} * sizeof segment, &at) || !readAt(at, segment))
                return false;
            if (accept(segment)) return true;
        }
        return false;
    }
    /// Whether the segment table, or the contents of a segment, extend beyond the end of the file.
    [[nodiscard]] bool isCutOff() const {
        Elf64_Phdr segment{};
        unsigned seen = 0;
        const auto lacksBytes = [this, &seen](const Elf64_Phdr& one) {
            ++seen;
            if (one.p_type != PT_LOAD || one.p_filesz == 0) return false;
            std::uint64_t last = 0;
            char byte = 0;
            return __builtin_add_overflow(one.p_offset, one.p_filesz - 1, &last) || !readAt(last, byte);
        };
        const unsigned count = header_.e_phnum < kMostSegments ? header_.e_phnum : kMostSegments;
        return findSegment(lacksBytes, segment) || seen < count;
    }
    [[nodiscard]] bool find(std::uint32_t type, Elf64_Phdr& segment) const {
        return findSegment([type](const Elf64_Phdr& one) { return one.p_type == type; }, segment);
    }
    /// Locates the names of the dynamic symbols in the file.
    [[nodiscard]] bool findDynamic() {
        if (isDynamicKnown_) return strings_ != 0;
        isDynamicKnown_ = true;
        Elf64_Phdr dynamic{};
        if (!find(PT_DYNAMIC, dynamic)) return false;
        std::uint64_t address = 0;
        const std::uint64_t count = dynamic.p_filesz / sizeof(Elf64_Dyn);
        for (std::uint64_t i = 0; i < count && i < kMostDynamic; ++i) {
            Elf64_Dyn entry{};
            std::uint64_t at = 0;
            if (__builtin_add_overflow(dynamic.p_offset, i * sizeof entry, &at) || !readAt(at, entry)) break;
            if (entry.d_tag == DT_NULL) break;
            if (entry.d_tag == DT_STRTAB) address = entry.d_un.d_ptr;
            if (entry.d_tag == DT_STRSZ) stringBytes_ = entry.d_un.d_val;
            if (entry.d_tag == DT_SONAME) soname_ = entry.d_un.d_val;
        }
        Elf64_Phdr load{};
        const auto holds = [address](const Elf64_Phdr& one) {
            return one.p_type == PT_LOAD && address >= one.p_vaddr && address - one.p_vaddr < one.p_filesz;
        };
        if (address == 0 || !findSegment(holds, load)) return false;
        std::uint64_t end = 0;
        if (__builtin_add_overflow(load.p_offset, address - load.p_vaddr, &strings_) ||
            __builtin_add_overflow(strings_, stringBytes_, &end) || soname_ >= stringBytes_)
            strings_ = soname_ = stringBytes_ = 0;
        return strings_ != 0;
    }
    const File& file_;
    Elf64_Ehdr header_{};
    long headerBytes_ = 0;
    bool isDynamicKnown_ = false;
    std::uint64_t strings_ = 0;
    std::uint64_t stringBytes_ = 0;
    std::uint64_t soname_ = 0;
};

/// The interpreter in the first line of a script. False: none.
[[nodiscard]] inline bool readInterpreter(const char* line, std::size_t bytes, char* into, std::size_t size) {
    if (bytes < 2 || line[0] != '#' || line[1] != '!') return false;
    std::size_t from = 2, used = 0;
    while (from < bytes && (line[from] == ' ' || line[from] == '\t'))
        ++from;
    for (; from < bytes && used + 1 < size; ++from) {
        const char letter = line[from];
        if (letter == '\n' || letter == ' ' || letter == '\t' || letter == '\0') break;
        into[used++] = letter;
    }
    into[used] = '\0';
    return used > 0;
}

/// Whether executing a file grants privileges, so that the dynamic linker ignores LD_PRELOAD. `uid` and `gid`: the real
/// ids of the user who executes it.
[[nodiscard]] inline bool givesRights(const struct stat& facts, bool hasCapabilities, uid_t uid, gid_t gid) {
    constexpr mode_t kSetGroup = S_ISGID | S_IXGRP; // without the latter it has another meaning
    return ((facts.st_mode & S_ISUID) != 0 && facts.st_uid != uid) ||
           ((facts.st_mode & kSetGroup) == kSetGroup && facts.st_gid != gid) || (hasCapabilities && uid != 0);
}

/// The rest of examineProgram() for an ELF file.
template <typename Open>
void examineElf(const Open& file, ElfProgram<Open>& program, ProgramFinding& finding) {
    finding.isElf = true;
    finding.obstacle = file.givesRights() ? Obstacle::OwnRights : program.obstacle(finding);
    if (finding.obstacle != Obstacle::None || finding.detail[0] == '\0') return;
    const Open linker(finding.detail);
    if (!linker.isOpen()) {
        if (linker.isMissing()) finding.obstacle = Obstacle::MissingLinker;
        return;
    }
    ElfProgram<Open> linkerProgram(linker);
    if (!linkerProgram.isElf() || !linkerProgram.isOfGlibc()) {
        finding.obstacle = Obstacle::OtherLibc;
        return;
    }
    const char* const name = program.sanitizer();
    if (name == nullptr) return;
    finding.obstacle = Obstacle::Sanitizer;
    copyText(finding.detail, name, sizeof finding.detail);
}

/// Examines a program's file, its chain of interpreters, and its dynamic linker. Open is constructed with a path, and
/// has `isOpen()`, `isMissing()`, `givesRights()`, and `read()` as above.
template <typename Open>
void examineProgram(const char* path, ProgramFinding& finding) {
    constexpr int kMostInterpreters = 5; // the limit of the system
    copyText(finding.file, path, sizeof finding.file);
    for (int depth = 0; depth <= kMostInterpreters; ++depth) {
        const Open file(finding.file);
        if (!file.isOpen()) {
            // A program that cannot be read can still be executed.
            if (depth == 0 || !file.isMissing()) return;
            finding.obstacle = Obstacle::MissingInterpreter;
            copyText(finding.detail, finding.file, sizeof finding.detail);
            copyText(finding.file, path, sizeof finding.file);
            return;
        }
        ElfProgram<Open> program(file);
        if (program.isElf()) return examineElf(file, program, finding);
        char line[256], interpreter[256];
        const long bytes = file.read(0, line, sizeof line);
        if (bytes <= 0 || !readInterpreter(line, static_cast<std::size_t>(bytes), interpreter, sizeof interpreter))
            return;
        finding.isScript = true;
        copyText(finding.file, interpreter, sizeof finding.file);
    }
}

} // namespace highwater::agent
