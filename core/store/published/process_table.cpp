#include "core/store/published/process_table.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <utility>

namespace highwater::store {
namespace {

constexpr std::size_t kMostNamed = 8; ///< named in one note

/// [base, base + size) without overflow.
bool covers(const LoadedImage& image, Address address) {
    return address >= image.base && address - image.base < image.size;
}

bool overlap(const LoadedImage& image, Address base, ByteCount size) {
    return covers(image, base) || (base <= image.base && image.base - base < size);
}

/// Neither begins nor ends a process, but describes a running one.
bool isChange(Occasion occasion) {
    return occasion == Occasion::Executed || occasion == Occasion::Forked || occasion == Occasion::Attached ||
           occasion == Occasion::Named;
}

/// Lower case, without the part that names the volume. Runtimes report drive letters, and image records report devices.
std::string placeOnVolume(std::string_view path) {
    constexpr std::string_view kDevice = "\\device\\";
    auto place = lowered(path);
    if (place.starts_with("\\??\\") || place.starts_with("\\\\?\\")) place.erase(0, 4);
    if (place.starts_with(kDevice)) return place.substr(std::min(place.find('\\', kDevice.size()), place.size()));
    if (place.size() > 1 && place[1] == ':') place.erase(0, 2);
    return place;
}

bool isRundown(Occasion occasion) { return occasion == Occasion::RundownStart || occasion == Occasion::RundownEnd; }

} // namespace

ProcessIndex ProcessTable::add(std::uint32_t pid, TraceTime start) {
    const ProcessIndex index{static_cast<std::uint32_t>(processes_.size())};
    ProcessInstance process;
    process.pid = pid;
    process.start = start;
    if (const auto before = latestOfPid_.find(pid); before != latestOfPid_.end()) {
        process.instance = processes_[before->second].instance + 1;
    }
    processes_.push_back(std::move(process));
    validImages_.emplace_back();
    latestOfPid_[pid] = index.value;
    ++changes_;
    return index;
}

ProcessIndex ProcessTable::current(std::uint32_t pid) {
    if (const auto found = latestOfPid_.find(pid); found != latestOfPid_.end()) return ProcessIndex{found->second};
    return add(pid, kBeforeTrace);
}

void ProcessTable::fill(ProcessInstance& process, const ProcessEvent& event) {
    if (!event.name.empty()) {
        process.name = event.name;
        process.nameKnown = true;
    }
    if (!event.commandLine.empty()) process.commandLine = event.commandLine;
    process.isFork = process.isFork || event.occasion == Occasion::Forked;
    process.isAttached = process.isAttached || event.occasion == Occasion::Attached;
    if (isChange(event.occasion)) return; // the other fields are not set
    process.parentPid = event.parentPid;
    process.sessionId = event.sessionId;
}

/// The loaded images are gone. Stacks recorded from now on belong to a new epoch.
void ProcessTable::execute(ProcessIndex index, const ProcessEvent& event) {
    auto& process = processes_[index.value];
    auto& valid = validImages_[index.value];
    if (!valid.empty()) ++process.epoch;
    for (const auto& [base, image] : valid) {
        process.images[image].lastEpoch = process.epoch;
        process.images[image].unloaded = event.time;
    }
    valid.clear();
    if (!process.nameKnown) return;
    if (process.isFork && process.forkName.empty()) process.forkName = process.name;
    if (process.namesBefore.size() == kMostNamesBefore) process.namesBefore.erase(process.namesBefore.begin());
    process.namesBefore.push_back(process.name);
}

void ProcessTable::forgetFork(ProcessIndex index) {
    if (!std::exchange(processes_[index.value].isFork, false)) return;
    processes_[index.value].forkName.clear();
    ++changes_;
}

ProcessIndex ProcessTable::apply(const ProcessEvent& event, std::optional<ProcessIndex>& endedByReuse) {
    ++changes_;
    auto index = current(event.pid);
    const auto& latest = processes_[index.value];
    const bool ended = latest.end != kNever;
    if (event.occasion == Occasion::Start) {
        // Merged sessions repeat starts. The same name at the same time is the same start.
        const bool repeated = latest.start == event.time && latest.name == event.name;
        // An instance created by an event slightly before its start has neither a name nor a start.
        const bool anonymous = !latest.nameKnown && latest.start == kBeforeTrace && !ended;
        if (anonymous) {
            processes_[index.value].start = event.time;
        } else if (!repeated) {
            if (!ended) {
                processes_[index.value].end = event.time;
                endedByReuse = index;
            }
            index = add(event.pid, event.time);
        }
    } else if ((isRundown(event.occasion) || isChange(event.occasion)) && ended && event.time > latest.end) {
        // Alive after its end: the start of a second instance was lost.
        index = add(event.pid, latest.end);
    }
    if (event.occasion == Occasion::Executed) execute(index, event);
    auto& process = processes_[index.value];
    fill(process, event);
    if (event.occasion == Occasion::End && process.end == kNever) process.end = event.time;
    return index;
}

void ProcessTable::beginEpoch(ProcessIndex index) {
    ++processes_[index.value].epoch;
    ++changes_;
}

ModuleIndex ProcessTable::internModule(const ImageEvent& event) {
    const auto key = std::make_tuple(event.path, event.timeDateStamp, event.size);
    if (const auto found = moduleIds_.find(key); found != moduleIds_.end()) return ModuleIndex{found->second};
    const ModuleIndex index{static_cast<std::uint32_t>(modules_.size())};
    Module module{event.path, std::string(fileName(event.path)), {}, false};
    module.identity.timeDateStamp = event.timeDateStamp;
    module.identity.imageSize = static_cast<std::uint32_t>(event.size);
    takeExpected(module);
    modules_.push_back(std::move(module));
    moduleIds_.emplace(key, index.value);
    return index;
}

void ProcessTable::takeExpected(Module& module) {
    if (expectedPdbs_.empty() || !module.identity.pdbName.empty()) return;
    const auto expected = expectedPdbs_.find(placeOnVolume(module.path));
    if (expected == expectedPdbs_.end()) return;
    module.identity.pdbGuid = expected->second.pdbGuid;
    module.identity.pdbAge = expected->second.pdbAge;
    module.identity.pdbName = expected->second.pdbName;
    ++changes_;
}

void ProcessTable::expectPdb(const std::string& path, const ModuleIdentity& pdb) {
    if (path.empty() || pdb.pdbName.empty()) return;
    const auto place = placeOnVolume(path);
    if (!expectedPdbs_.insert_or_assign(place, pdb).second) return; // every process repeats it
    for (auto& module : modules_)
        if (!module.isIl) takeExpected(module);
}

std::optional<ModuleIndex> ProcessTable::apply(const CodeFiles& files) {
    expectPdb(files.nativePath, files.nativePdb);
    if (files.isReadyToRun) expectPdb(files.path, files.pdb);
    if (files.pdb.pdbName.empty()) return std::nullopt;
    const auto number = static_cast<std::uint32_t>(modules_.size());
    const auto [known, isNew] = ilModuleIds_.try_emplace({files.path, files.pdb.pdbGuid, files.pdb.pdbAge}, number);
    if (!isNew) return ModuleIndex{known->second};
    Module module{files.path, std::string(fileName(files.path)), {}, true};
    module.identity.pdbGuid = files.pdb.pdbGuid;
    module.identity.pdbAge = files.pdb.pdbAge;
    module.identity.pdbName = files.pdb.pdbName;
    modules_.push_back(std::move(module));
    ++changes_;
    return ModuleIndex{number};
}

/// The currently valid image that starts at this base, or null.
LoadedImage* ProcessTable::validImage(ProcessIndex process, Address base) {
    const auto& valid = validImages_[process.value];
    const auto found = valid.find(base);
    return found == valid.end() ? nullptr : &processes_[process.value].images[found->second];
}

void ProcessTable::load(ProcessIndex index, const ImageEvent& event) {
    const auto module = internModule(event);
    if (auto* known = validImage(index, event.base); known != nullptr && known->module == module) {
        if (event.occasion == Occasion::Start) known->unloaded = kNever; // otherwise a rundown of a known image
        return;
    }
    auto& process = processes_[index.value];
    auto& valid = validImages_[index.value];
    LoadedImage loaded{event.base, event.size, module};
    if (event.occasion == Occasion::Start) loaded.loaded = event.time;
    auto next = valid.upper_bound(event.base);
    if (next != valid.begin() && covers(process.images[std::prev(next)->second], event.base)) --next;
    if (next != valid.end() && overlap(process.images[next->second], event.base, event.size)) {
        // Addresses change their meaning. Stacks recorded from now on belong to a new epoch.
        loaded.firstEpoch = ++process.epoch;
    }
    while (next != valid.end() && overlap(process.images[next->second], event.base, event.size)) {
        process.images[next->second].lastEpoch = process.epoch;
        next = valid.erase(next);
    }
    valid[event.base] = static_cast<std::uint32_t>(process.images.size());
    process.images.push_back(loaded);
}

void ProcessTable::apply(const ImageEvent& event) {
    if (event.size == 0) return;
    ++changes_;
    const auto process = current(event.pid);
    load(process, event);
    if (event.occasion == Occasion::End) validImage(process, event.base)->unloaded = event.time;
}

void ProcessTable::apply(const ImageIdentityEvent& event) {
    const auto* image = validImage(current(event.pid), event.base);
    if (image == nullptr) return;
    auto& identity = modules_[image->module.value].identity;
    if (!event.identity.pdbName.empty()) {
        identity.pdbGuid = event.identity.pdbGuid;
        identity.pdbAge = event.identity.pdbAge;
        identity.pdbName = event.identity.pdbName;
    }
    if (event.identity.timeDateStamp != 0) identity.timeDateStamp = event.identity.timeDateStamp;
    if (event.identity.imageSize != 0) identity.imageSize = event.identity.imageSize;
    ++changes_;
}

void ProcessTable::apply(const VolumeMappingEvent& event) {
    volumes_.add(event);
    ++changes_;
}

void ProcessTable::setMachine(const Guid& machine) {
    const bool contradicts = hasMachineRecord_ && machine != machine_;
    machine_ = contradicts ? Guid{} : machine;
    hasMachineRecord_ = true;
    ++changes_;
}

std::optional<ProcessIndex> ProcessTable::kernel() const {
    const auto found = latestOfPid_.find(0);
    if (found == latestOfPid_.end()) return std::nullopt;
    return ProcessIndex{found->second};
}

const LoadedImage* ProcessTable::findImage(StackRoot root, Address address) const {
    const auto inProcess = [&](const ProcessInstance& process,
                               std::optional<std::uint32_t> epoch) -> const LoadedImage* {
        const LoadedImage* found = nullptr;
        for (const auto& image : process.images) {
            if (!covers(image, address)) continue;
            if (!epoch || (image.firstEpoch <= *epoch && *epoch < image.lastEpoch)) found = &image;
        }
        return found;
    };
    const LoadedImage* image = nullptr;
    if ((address & kKernelBit) == 0 && root.process.value < processes_.size()) {
        image = inProcess(processes_[root.process.value], root.epoch);
    }
    if (image != nullptr) return image;
    // On 32-bit systems kernel addresses do not have the bit, so kernel images come second for all other processes.
    const auto owner = kernel();
    return owner ? inProcess(processes_[owner->value], std::nullopt) : nullptr;
}

std::string ProcessTable::key(ProcessIndex index) const {
    const auto& process = processes_[index.value];
    auto text = fmt::format("{} ({})", process.nameKnown ? process.name : "Unknown", process.pid);
    if (process.instance > 1) text += fmt::format(" #{}", process.instance);
    return text;
}

std::vector<std::string> ProcessTable::earlierNames(ProcessIndex index) const {
    const auto& process = processes_[index.value];
    auto names = process.namesBefore;
    names.push_back(process.name);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    names.pop_back();
    return names;
}

/// "sh (6), later less"
std::string ProcessTable::nameInNote(ProcessIndex index) const {
    const auto& process = processes_[index.value];
    if (process.forkName.empty() || process.forkName == process.name) return key(index);
    return fmt::format("{} ({}), later {}", process.forkName, process.pid, process.name);
}

std::string ProcessTable::describe(bool ProcessInstance::*isMeant, std::string_view one,
                                   std::string_view several) const {
    std::string text;
    std::size_t count = 0;
    bool isAside = false;
    for (std::uint32_t i = 0; i < processes_.size(); ++i) {
        if (!(processes_[i].*isMeant) || ++count > kMostNamed) continue;
        const ProcessIndex index{i};
        const auto name = isMeant == &ProcessInstance::isFork ? nameInNote(index) : key(index);
        isAside = count == 1 && name != key(index);
        text += (text.empty() ? "" : ", ") + name;
    }
    if (count == 0) return text;
    if (isAside) text += ','; // closes the inserted clause
    if (count > kMostNamed) text += fmt::format(" and {} more", count - kMostNamed);
    return text.append(count == 1 ? one : several);
}

std::vector<std::string> ProcessTable::notes() const {
    auto notes = {
        describe(
            &ProcessInstance::isFork,
            " is a fork. Blocks inherited from its parent are not listed as its own and count as unmatched when it "
            "frees them.",
            " are forks. Blocks inherited from their parents are not listed as their own and count as unmatched "
            "when they free them."),
        describe(&ProcessInstance::isAttached,
                 " was already running when recording started. Earlier blocks and pages are not shown and "
                 "count as unmatched when they are freed.",
                 " were already running when recording started. Earlier blocks and pages are not shown and "
                 "count as unmatched when they are freed.")};
    std::vector<std::string> told;
    std::ranges::copy_if(notes, std::back_inserter(told), [](const auto& note) { return !note.empty(); });
    return told;
}

} // namespace highwater::store
