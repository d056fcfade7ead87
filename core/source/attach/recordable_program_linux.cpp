#include "core/source/attach/recordable_program_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace highwater::source {
namespace {

using agent::Obstacle, agent::ProgramFinding;
namespace fs = std::filesystem;

Error notRecordable(const fs::path& program, std::string_view why) {
    return {ErrorKind::Unsupported, fmt::format("{} cannot be recorded: {}", program.string(), why)};
}
Error notStarted(const fs::path& program, std::string_view why) {
    return {ErrorKind::AccessDenied, fmt::format("{} cannot be started because {}", program.string(), why)};
}

/// A program's file, for examineProgram().
class ProgramFile {
  public:
    explicit ProgramFile(const char* path) : file_(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
        if (file_ < 0) error_ = errno;
    }
    ProgramFile(const ProgramFile&) = delete;
    ProgramFile& operator=(const ProgramFile&) = delete;
    ~ProgramFile() {
        if (file_ >= 0) ::close(file_);
    }
    [[nodiscard]] bool isOpen() const { return file_ >= 0; }
    [[nodiscard]] bool isMissing() const { return error_ == ENOENT || error_ == ENOTDIR; }
    [[nodiscard]] long read(std::uint64_t offset, void* into, std::size_t bytes) const {
        return ::pread(file_, into, bytes, static_cast<off_t>(offset));
    }
    /// False on a file system that is mounted with "nosuid".
    [[nodiscard]] bool givesRights() const {
        struct stat facts {};
        struct statvfs system {};
        if (::fstat(file_, &facts) != 0) return false;
        if (::fstatvfs(file_, &system) == 0 && (system.f_flag & ST_NOSUID) != 0) return false;
        const bool hasCapabilities = ::fgetxattr(file_, "security.capability", nullptr, 0) > 0;
        return agent::givesRights(facts, hasCapabilities, ::getuid(), ::getgid());
    }

  private:
    int file_;
    int error_ = 0;
};

std::string processorName(std::uint16_t machine) {
    switch (machine) {
    case EM_AARCH64:
        return "64-bit ARM (aarch64)";
    case EM_ARM:
        return "32-bit ARM";
    case EM_RISCV:
        return "RISC-V";
    case EM_PPC64:
        return "64-bit PowerPC";
    case EM_S390:
        return "IBM Z (s390)";
    case EM_MIPS:
        return "MIPS";
    default:
        return fmt::format("other (ELF machine {})", machine);
    }
}

std::string_view sanitizerName(std::string_view function) {
    if (function == "__asan_init") return "AddressSanitizer";
    if (function == "__hwasan_init") return "HWAddressSanitizer";
    if (function == "__lsan_init") return "LeakSanitizer";
    if (function == "__msan_init") return "MemorySanitizer";
    return "ThreadSanitizer";
}

/// Derives the C library from the file name of a dynamic linker.
std::string otherLibc(std::string_view linker) {
    const auto name = linker.substr(linker.rfind('/') + 1);
    if (name.starts_with("ld-musl-")) return "it is linked against musl";
    if (name.starts_with("ld-uClibc")) return "it is linked against uClibc";
    if (name == "linker64") return "it is linked against Android's C library";
    return "it is not linked against glibc";
}

/// Fails if the system would not execute the file.
Result<void> checkExecutable(const fs::path& program) {
    struct stat facts {};
    if (::stat(program.c_str(), &facts) != 0)
        return Error{ErrorKind::NotFound,
                     errno == EACCES
                         ? fmt::format("{} cannot be accessed because you have no permission for one of "
                                       "its parent folders.",
                                       program.string())
                         : fmt::format("{} cannot be started because it does not exist.", program.string())};
    if (S_ISDIR(facts.st_mode)) return notStarted(program, "it is a folder.");
    if (!S_ISREG(facts.st_mode)) return notStarted(program, "it is not a regular file.");
    if (::access(program.c_str(), X_OK) == 0) return {};
    struct statvfs system {};
    if (::statvfs(program.c_str(), &system) == 0 && (system.f_flag & ST_NOEXEC) != 0)
        return notStarted(program,
                          "its file system is mounted with \"noexec\". Copy the program to another file system.");
    return notStarted(program, "you have no permission to execute it. If the file is yours, run chmod +x.");
}

bool isAppImage(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    char begin[11] = {};
    return stream.read(begin, sizeof begin) && begin[8] == 'A' && begin[9] == 'I';
}

/// An obstacle of a script's interpreter is an obstacle of the script.
Result<void> checkFinding(const fs::path& path, const ProgramFinding& finding) {
    if (finding.obstacle == Obstacle::None) return {};
    auto reason = finding.obstacle == Obstacle::OtherProcessor
                      ? fmt::format("it is a program for {} processors; Highwater records programs for x86-64.",
                                    processorName(finding.processor))
                      : reasonFor(finding.obstacle, finding.detail);
    if (finding.obstacle == Obstacle::Static && isAppImage(finding.file))
        reason += " It is an AppImage: unpack it with --appimage-extract, and record squashfs-root/AppRun.";
    if (path != finding.file) reason = fmt::format("its interpreter is {}, and {}", finding.file, reason);
    return notRecordable(path, reason);
}

/// Reads the version from libc.so.6, next to the dynamic linker, because the linker itself shows no version after 2.35.
Result<void> checkGlibc(const fs::path& path, const char* linker, const fs::path& library) {
    if (linker[0] == '\0' || library.empty()) return {};
    std::error_code error;
    const auto libc = fs::weakly_canonical(linker, error).parent_path() / "libc.so.6";
    const unsigned needed = glibcVersionIn(library), found = glibcVersionIn(libc);
    if (found == 0 || found >= needed) return {};
    return notRecordable(path, fmt::format("it uses glibc 2.{} ({}), but the recorder needs glibc 2.{} or later.",
                                           found, libc.string(), needed));
}

} // namespace

std::string reasonFor(Obstacle obstacle, std::string_view detail) {
    switch (obstacle) {
    case Obstacle::None:
        break;
    case Obstacle::Of32Bits:
        return "it is a 32-bit program; Highwater records 64-bit programs.";
    case Obstacle::OtherProcessor:
        return "it is a program for another processor; Highwater records programs for x86-64.";
    case Obstacle::OtherLibc:
        return fmt::format("{} (its dynamic linker is {}); Highwater records programs that are linked against glibc.",
                           otherLibc(detail), detail);
    case Obstacle::Sanitizer:
        return fmt::format("it is built with {} ({}), which replaces the allocator itself. Record a build without it.",
                           sanitizerName(detail), detail);
    case Obstacle::Static:
        return "it is statically linked, so the recorder cannot be loaded into it.";
    case Obstacle::OwnRights:
        return "it runs with elevated privileges (setuid, setgid or capabilities), and the system does not load the "
               "recorder into such programs.";
    case Obstacle::MissingLinker:
        return fmt::format("its dynamic linker, {}, does not exist here.", detail);
    case Obstacle::MissingInterpreter:
        if (detail.ends_with('\r'))
            return fmt::format("its first line names the interpreter {} followed by a carriage return, which does not "
                               "exist. Convert the script to Linux line endings.",
                               detail.substr(0, detail.size() - 1));
        return fmt::format("its first line names the interpreter {}, which does not exist.", detail);
    case Obstacle::SharedLibrary:
        return "it is a shared library, not a program.";
    case Obstacle::NotExecutable:
        return "it is an ELF file, but not a program.";
    case Obstacle::OutOfReach:
        return "it runs in a container with its own root folder or /proc, where the recorder's memory or library "
               "cannot be found.";
    case Obstacle::OtherUser:
        return "it runs as another user or in its own user namespace, and has no permission to open the recorder's "
               "memory or library.";
    case Obstacle::CutOff:
        return "it is an ELF file that is cut off: its headers refer to bytes beyond its end. Build or copy it again.";
    }
    return "the cause is unknown.";
}

namespace {

struct FileKind {
    std::string_view begin;
    std::string_view sentence;
};

/// Files that are executed on other systems, or are mistaken for programs.
constexpr std::array kKinds{
    FileKind{"#!", "its first line starts with #! but does not name an interpreter."},
    FileKind{"\xEF\xBB\xBF#!", "its first line has a byte order mark before the #!. Save the file without the byte "
                               "order mark."},
    FileKind{ELFMAG, "it is an ELF file that the system does not execute."},
    FileKind{"MZ", "it is a program for Windows or DOS."},
    FileKind{"\xCF\xFA\xED\xFE", "it is a program for macOS."},
    FileKind{"\xCA\xFE\xBA\xBE", "it is a Java class file or a program for macOS."},
    FileKind{"PK\x03\x04", "it is an archive (ZIP or JAR). Record the program that runs it, such as java -jar."},
    FileKind{std::string_view("\0asm", 4), "it is a WebAssembly module. Record the program that runs it."},
    FileKind{"!<arch>\n", "it is a static library (an archive of object files)."},
    FileKind{"BC\xC0\xDE",
             "it is LLVM bitcode. Record the program that is compiled from it, or lli with this file as its argument."},
};

bool isText(std::string_view begin) {
    return std::ranges::none_of(begin, [](char letter) {
        const auto code = static_cast<unsigned char>(letter);
        return code == 0x7F || (code < ' ' && (code < '\a' || code > '\r') && code != '\x1B');
    });
}

/// Describes a file that the system accepts neither as a program nor as a script, by its first bytes.
std::string refusedFileKind(std::string_view begin) {
    if (begin.empty()) return "it is an empty file.";
    for (const auto& kind : kKinds)
        if (begin.starts_with(kind.begin)) return std::string(kind.sentence);
    if (!isText(begin)) return "it is neither an ELF file nor a text file.";
    return "it is a text file whose first line does not name an interpreter, as in #!/bin/sh. If it is a shell "
           "script, record sh with this file as its argument.";
}

} // namespace

std::string systemReasonFor(const fs::path& program) {
    ProgramFinding finding;
    agent::examineProgram<ProgramFile>(program.c_str(), finding);
    const ProgramFile file(finding.file);
    char begin[4096];
    const long bytes = file.isOpen() ? file.read(0, begin, sizeof begin) : -1;
    const auto kind = bytes < 0 ? std::string("the system recognizes it neither as a program nor as a script, and you "
                                              "have no permission to read it.")
                                : refusedFileKind({begin, static_cast<std::size_t>(bytes)});
    return program == finding.file ? kind : fmt::format("its interpreter is {}, and {}", finding.file, kind);
}

std::string reasonAgainst(const fs::path& file) {
    ProgramFinding finding;
    agent::examineProgram<ProgramFile>(file.c_str(), finding);
    const bool isNone = finding.obstacle == Obstacle::None || finding.obstacle == Obstacle::OwnRights;
    return isNone ? std::string() : reasonFor(finding.obstacle, finding.detail);
}

unsigned glibcVersionIn(const fs::path& file) {
    const ProgramFile opened(file.c_str());
    agent::ElfProgram<ProgramFile> program(opened);
    unsigned newest = 0;
    if (!opened.isOpen() || !program.isElf()) return newest;
    program.eachName("GLIBC_2.", [&newest](const char* rest) {
        unsigned version = 0;
        for (; std::isdigit(static_cast<unsigned char>(*rest)) != 0 && version < 1000; ++rest)
            version = version * 10 + static_cast<unsigned>(*rest - '0');
        newest = std::max(newest, version);
    });
    return newest;
}

fs::path findProgram(const std::string& program) {
    if (program.find('/') != std::string::npos) return program;
    const char* folders = std::getenv("PATH");
    std::string_view rest = folders != nullptr ? folders : "/usr/bin:/bin";
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
        fs::path found = fs::path(folder.empty() ? "." : folder) / program;
        std::error_code error;
        if (access(found.c_str(), X_OK) == 0 && fs::is_regular_file(found, error)) return found;
    }
    return {};
}

Result<fs::path> checkRecordable(const std::string& program, const fs::path& library) {
    const fs::path path = findProgram(program);
    if (path.empty()) return Error{ErrorKind::NotFound, fmt::format("No program {} was found on the PATH.", program)};
    TRY(checkExecutable(path));
    ProgramFinding finding;
    agent::examineProgram<ProgramFile>(path.c_str(), finding);
    TRY(checkFinding(path, finding));
    TRY(checkGlibc(path, finding.detail, library));
    if (finding.isScript && path != finding.file) {
        if (auto executable = checkExecutable(finding.file); !executable.hasValue())
            return notRecordable(path, "its interpreter cannot be started: " + executable.error().message);
    }
    return path;
}

} // namespace highwater::source
