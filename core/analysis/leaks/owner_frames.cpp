#include "core/analysis/leaks/owner_frames.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace highwater::analysis {
namespace {

/// Small letters, slashes of one kind: paths are compared so.
std::string comparable(std::string_view path) {
    auto text = lowered(path);
    std::replace(text.begin(), text.end(), '\\', '/');
    return text;
}

std::string_view folderOf(std::string_view path) { return path.substr(0, std::min(path.rfind('/'), path.size())); }

/// Programs and libraries of everybody lie there: a program's own folder it is not.
bool isSharedFolder(std::string_view folder) {
    constexpr std::array<std::string_view, 8> kEnds{"/system32", "/syswow64", "/windows",   "/lib",
                                                    "/lib64",    "/lib32",    "-linux-gnu", "/bin"};
    return std::any_of(kEnds.begin(), kEnds.end(), [&](auto end) { return folder.ends_with(end); });
}

/// The image of the program itself; null: it was not seen.
const store::Module* programOf(const store::ProcessTable& processes, const store::ProcessInstance& process) {
    for (const auto& image : process.images) {
        const auto& module = processes.module(image.module);
        if (equalsIgnoringCase(module.name, process.name)) return &module;
    }
    return nullptr;
}

} // namespace

bool isSystemPath(std::string_view path) {
    const auto text = comparable(path);
    constexpr std::array<std::string_view, 8> kStarts{"/lib/",           "/lib64/",      "/lib32/",   "/usr/lib",
                                                      "/usr/local/lib/", "/systemroot/", "/windows/", "["};
    if (std::any_of(kStarts.begin(), kStarts.end(), [&](auto start) { return text.starts_with(start); })) return true;
    if (text.size() > 2 && text[1] == ':') return text.substr(2).starts_with("/windows/");
    constexpr std::string_view kVolume = "/device/harddiskvolume";
    const auto behind = text.find('/', kVolume.size());
    return text.starts_with(kVolume) && behind != std::string::npos && text.substr(behind).starts_with("/windows/");
}

const OwnerFrames::Modules& OwnerFrames::modulesOf(ProcessIndex process) {
    const auto [entry, isNew] = modules_.try_emplace(process.value);
    if (!isNew) return entry->second;
    const auto& instance = processes_[process];
    const auto* program = programOf(processes_, instance);
    const auto programPath = program == nullptr ? std::string() : comparable(processes_.dosPath(program->path));
    const auto ownFolder = std::string(folderOf(programPath));
    for (const auto& image : instance.images) {
        const auto& module = processes_.module(image.module);
        const auto path = comparable(processes_.dosPath(module.path));
        const bool isBeside = !ownFolder.empty() && !isSharedFolder(ownFolder) && path.starts_with(ownFolder + '/');
        entry->second[lowered(module.name)] = &module == program || isBeside || !isSystemPath(path);
    }
    return entry->second;
}

bool OwnerFrames::isPlumbing(LabelId label) {
    const auto [entry, isNew] = plumbing_.try_emplace(label.value, false);
    if (isNew) {
        const auto text = labels_.text(label);
        entry.value() =
            (allocators_ != nullptr && allocators_->matches(text)) || AllocatorFrames::builtInRuntime()->matches(text);
    }
    return entry->second;
}

bool OwnerFrames::isOfProgram(ProcessIndex process, LabelId label) {
    const auto text = labels_.text(label);
    const auto mark = text.find('!');
    if (mark == std::string::npos) return text.starts_with("0x"); // made by a JIT compiler
    const auto& modules = modulesOf(process);
    const auto name = lowered(text.substr(0, mark));
    if (const auto found = modules.find(name); found != modules.end()) return found->second;
    const auto kernel = processes_.kernel();
    return !kernel || !modulesOf(*kernel).contains(name); // a module that only the runtime knows, which loaded it
}

std::size_t OwnerFrames::ownerOf(ProcessIndex process, std::span<const std::uint32_t> frames) {
    std::size_t firstPlain = frames.size();
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const LabelId label{frames[i]};
        if (isPlumbing(label)) continue;
        if (isOfProgram(process, label)) return i;
        firstPlain = std::min(firstPlain, i);
    }
    return firstPlain < frames.size() ? firstPlain : 0;
}

} // namespace highwater::analysis
