#pragma once

#include "core/base/guid.h"
#include "core/base/ids.h"
#include "core/base/seeded_hash.h"
#include "core/base/units.h"
#include "core/event/code_events.h"
#include "core/event/process_events.h"
#include "core/store/published/stack_table.h"
#include "core/store/published/volume_names.h"

#include <tsl/robin_map.h>

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace highwater::store {

using ModuleIndex = Id<struct ModuleTag>;

/// A module as a file: the same for every process that loads it.
struct Module {
    std::string path; ///< as recorded; see ProcessTable::dosPath
    std::string name; ///< file name: "ntdll.dll"
    ModuleIdentity identity;
    /// Stands for the source lines of managed code: loaded nowhere, its addresses are places in IL
    /// (symbols/answers/il_address.h).
    bool isIl = false;
};

/// A module in one process. Epochs [firstEpoch, lastEpoch) of the process's stacks mean this image.
struct LoadedImage {
    Address base = 0;
    ByteCount size = 0;
    ModuleIndex module;
    TraceTime loaded = kBeforeTrace;
    TraceTime unloaded = kNever;
    std::uint32_t firstEpoch = 0;
    std::uint32_t lastEpoch = std::numeric_limits<std::uint32_t>::max();
};

/// One instance of a process. A pid that is used again is another instance; a process that executes another program
/// stays the same one.
struct ProcessInstance {
    std::uint32_t pid = 0;
    std::uint32_t parentPid = 0;
    std::uint32_t sessionId = 0;
    bool nameKnown = false;
    bool isFork = false;        ///< began with its parent's blocks, which are not among its own
    bool isAttached = false;    ///< ran before it was recorded, with blocks that nobody saw
    std::uint32_t instance = 1; ///< which one of those that had this pid
    TraceTime start = kBeforeTrace;
    TraceTime end = kNever;
    std::string name;
    std::string commandLine;
    std::string forkName;                 ///< of a fork that executed another program then: what it was called before
    std::vector<std::string> namesBefore; ///< of the programs that it was before (exec), the latest kMostNamesBefore
    std::uint32_t epoch = 0;              ///< of stacks recorded from now on
    std::vector<LoadedImage> images;
};

/// Processes and images over time. The pipeline thread changes it; readers get an immutable copy through
/// PublishedTrace (few and small compared with allocations).
class ProcessTable {
  public:
    static constexpr std::size_t kMostNamesBefore = 32;

    // --- pipeline thread ---
    /// Returns the instance whose life the event began or completed. A start while an instance of that pid lives ends
    /// that one (its end was lost): endedByReuse names it.
    ProcessIndex apply(const ProcessEvent& event, std::optional<ProcessIndex>& endedByReuse);
    /// It used no memory before it executed another program: nothing of its parent's was left to it.
    void forgetFork(ProcessIndex index);
    void apply(const ImageEvent& event);
    void apply(const ImageIdentityEvent& event);
    void apply(const VolumeMappingEvent& event);
    /// What a runtime says of one of its modules: images whose own records name no PDB have the ones that it names. The
    /// module of its source lines; nothing: their PDB is not said.
    std::optional<ModuleIndex> apply(const CodeFiles& files);
    /// The recording was made on this computer.
    void setMachine(const Guid& machine);
    /// Addresses of the process mean something else from now on: stacks are other stacks.
    void beginEpoch(ProcessIndex index);
    /// The living (or else latest) instance of the pid; made without a name if there is none.
    ProcessIndex current(std::uint32_t pid);
    /// Changes since construction: a copy is stale when its count differs.
    [[nodiscard]] std::uint64_t changes() const { return changes_; }

    // --- readers of a copy ---
    [[nodiscard]] const std::vector<ProcessInstance>& processes() const { return processes_; }
    [[nodiscard]] const ProcessInstance& operator[](ProcessIndex index) const { return processes_[index.value]; }
    [[nodiscard]] const std::vector<Module>& modules() const { return modules_; }
    [[nodiscard]] const Module& module(ModuleIndex index) const { return modules_[index.value]; }
    /// The image that the address belonged to in that address space, else in the kernel's.
    /// Looks at all images; for many addresses take an ImageIndex.
    [[nodiscard]] const LoadedImage* findImage(StackRoot root, Address address) const;
    /// Whose images stand in every address space: the latest instance of pid 0.
    [[nodiscard]] std::optional<ProcessIndex> kernel() const;
    /// \Device\HarddiskVolume3\x -> C:\x by the trace's volume mappings (longest prefix, case-insensitive).
    [[nodiscard]] std::string dosPath(const std::string& path) const { return volumes_.dosPath(path); }
    /// The computer whose files the paths mean, as source::machineId() names it; Guid{}: the trace does not say, or it
    /// says several.
    [[nodiscard]] const Guid& machine() const { return machine_; }
    /// "name.exe (pid)"; the second that had this pid "name.exe (pid) #2"; without a name "Unknown (pid)".
    [[nodiscard]] std::string key(ProcessIndex index) const;
    /// What it was called before it executed other programs, the first one first; names that follow themselves once.
    [[nodiscard]] std::vector<std::string> earlierNames(ProcessIndex index) const;
    /// Which processes have blocks that are not among their own, as sentences; a fork by the name that it had as one.
    [[nodiscard]] std::vector<std::string> notes() const;

    /// What readers need, for who writes it to a file or takes it from there (core/pipeline/index): archive(fields...).
    /// `self` may be const.
    template <typename Self, typename Archive>
    static void forReaders(Self& self, Archive& archive) {
        archive(self.processes_, self.modules_, self.latestOfPid_, self.volumes_, self.machine_);
    }

  private:
    ProcessIndex add(std::uint32_t pid, TraceTime start);
    void fill(ProcessInstance& process, const ProcessEvent& event);
    void execute(ProcessIndex index, const ProcessEvent& event);
    [[nodiscard]] std::string nameInNote(ProcessIndex index) const;
    [[nodiscard]] std::string describe(bool ProcessInstance::*isMeant, std::string_view one,
                                       std::string_view several) const;
    ModuleIndex internModule(const ImageEvent& event);
    void expectPdb(const std::string& path, const ModuleIdentity& pdb);
    void takeExpected(Module& module);
    void load(ProcessIndex index, const ImageEvent& event);
    [[nodiscard]] LoadedImage* validImage(ProcessIndex process, Address base);

    std::vector<ProcessInstance> processes_;
    std::vector<Module> modules_;
    tsl::robin_map<std::uint32_t, std::uint32_t, SeededHash> latestOfPid_;
    std::map<std::tuple<std::string, std::uint32_t, ByteCount>, std::uint32_t> moduleIds_;
    std::map<std::tuple<std::string, Guid, std::uint32_t>, std::uint32_t> ilModuleIds_;
    std::map<std::string, ModuleIdentity> expectedPdbs_; ///< as runtimes name them, by place on the volume
    /// By process: its images that are valid in the epoch at hand, by base. They do not overlap.
    std::vector<std::map<Address, std::uint32_t>> validImages_;
    VolumeNames volumes_;
    Guid machine_;
    bool hasSaidMachine_ = false;
    std::uint64_t changes_ = 0;
};

} // namespace highwater::store
