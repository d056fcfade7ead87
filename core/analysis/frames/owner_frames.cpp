#include "core/analysis/frames/owner_frames.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace highwater::analysis {
namespace {

/// How many functions a wrapper may have below it: xmalloc calls do_malloc, which calls check_malloc.
constexpr std::size_t kNearFunctions = 4;

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

extern const char* const kBuiltInWrapperFrames; ///< made by CMake

const AllocatorFrames& knownWrappers() {
    static const AllocatorFrames frames(kBuiltInWrapperFrames);
    return frames;
}

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
    const auto [entry, isNew] = ofProgram_.try_emplace(std::uint64_t{process.value} << 32 | label.value, false);
    if (isNew) entry.value() = findIsOfProgram(process, label);
    return entry->second;
}

OwnerFrames::Chosen OwnerFrames::chosenAs(LabelId label) {
    const auto [entry, isNew] = chosen_.try_emplace(label.value, Chosen::No);
    if (isNew) {
        const auto text = labels_.text(label);
        if (choices_.owners && choices_.owners->matches(text))
            entry.value() = Chosen::Owner;
        else if ((choices_.wrappers && choices_.wrappers->matches(text)) || knownWrappers().matches(text))
            entry.value() = Chosen::Wrapper;
    }
    return entry->second;
}

bool OwnerFrames::findIsOfProgram(ProcessIndex process, LabelId label) {
    const auto text = labels_.text(label);
    const auto mark = text.find('!');
    if (mark == std::string::npos) return text.starts_with("0x"); // made by a JIT compiler
    const auto& modules = modulesOf(process);
    const auto name = lowered(text.substr(0, mark));
    if (const auto found = modules.find(name); found != modules.end()) return found->second;
    const auto kernel = processes_.kernel();
    return !kernel || !modulesOf(*kernel).contains(name); // a module that only the runtime knows, which loaded it
}

bool OwnerFrames::isCandidate(ProcessIndex process, LabelId label, Search search) {
    return !isPlumbing(label) && (search == Search::Any || isOfProgram(process, label));
}

std::optional<std::size_t> OwnerFrames::wrapperNear(ProcessIndex process, std::span<const std::uint32_t> frames,
                                                    std::size_t frame, Search search) {
    std::optional<std::size_t> outermost;
    std::size_t distance = 0;
    for (auto i = frame; i < frames.size() && distance < kNearFunctions; ++i) {
        const LabelId label{frames[i]};
        const auto chosen = chosenAs(label);
        if (chosen == Chosen::Owner) break;
        if (!isCandidate(process, label, search)) continue;
        const auto* wrapper = wrappers_ == nullptr ? nullptr : wrappers_->of(label);
        // Further out only one that is known to ask by others: else what it asks for is its own.
        if (chosen == Chosen::Wrapper || (wrapper != nullptr && (distance == 0 || wrapper->isDeep))) outermost = i;
        if (i + 1 < frames.size() && frames[i + 1] != frames[i]) ++distance;
    }
    return outermost;
}

std::optional<std::size_t> OwnerFrames::search(ProcessIndex process, std::span<const std::uint32_t> frames,
                                               Search search) {
    std::optional<std::size_t> passed;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const LabelId label{frames[i]};
        if (chosenAs(label) == Chosen::Owner) return i;
        if (!isCandidate(process, label, search)) continue;
        const auto wrapper = wrapperNear(process, frames, i, search);
        if (!wrapper) return i;
        passed = wrapper;
        i = *wrapper;
    }
    return passed; // nobody is seen to call it
}

std::size_t OwnerFrames::ownerOf(ProcessIndex process, std::span<const std::uint32_t> frames) {
    auto owner = search(process, frames, Search::OfProgram);
    if (!owner) owner = search(process, frames, Search::Any);
    return owner.value_or(0);
}

std::vector<std::size_t> OwnerFrames::wrappersBelow(std::span<const std::uint32_t> frames, std::size_t owner) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < owner; ++i) {
        const LabelId label{frames[i]};
        if (chosenAs(label) == Chosen::Wrapper || (wrappers_ != nullptr && wrappers_->of(label) != nullptr))
            found.push_back(i);
    }
    return found;
}

void OwnerFrames::functionsNear(ProcessIndex process, std::span<const std::uint32_t> frames,
                                std::vector<std::uint32_t>& functions) {
    functions.clear();
    const auto collect = [&](Search search) {
        for (std::size_t i = 0; i < frames.size() && functions.size() <= kNearFunctions; ++i) {
            const LabelId label{frames[i]};
            const bool isKnown = std::find(functions.begin(), functions.end(), frames[i]) != functions.end();
            if (!isKnown && isCandidate(process, label, search)) functions.push_back(frames[i]);
        }
    };
    collect(Search::OfProgram);
    if (functions.empty()) collect(Search::Any);
}

} // namespace highwater::analysis
