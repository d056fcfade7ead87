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

/// A module as a file. All processes that load it share it.
struct Module {
    std::string path; ///< as recorded; see ProcessTable::dosPath
    std::string name; ///< file name: "ntdll.dll"
    ModuleIdentity identity;
    /// Represents the source lines of managed code. It is not loaded anywhere; its addresses are positions in IL
    /// (symbols/answers/il_address.h).
    bool isIl = false;
};

/// A module in one process. It is valid in epochs [firstEpoch, lastEpoch) of the process's stacks.
struct LoadedImage {
    Address base = 0;
    ByteCount size = 0;
    ModuleIndex module;
    TraceTime loaded = kBeforeTrace;
    TraceTime unloaded = kNever;
    std::uint32_t firstEpoch = 0;
    std::uint32_t lastEpoch = std::numeric_limits<std::uint32_t>::max();
};

/// One instance of a process. A reused pid is another instance. A process that executes another program stays the same
/// instance.
struct ProcessInstance {
    std::uint32_t pid = 0;
    std::uint32_t parentPid = 0;
    std::uint32_t sessionId = 0;
    bool nameKnown = false;
    bool isFork = false;        ///< started with its parent's blocks, which are not its own
    bool isAttached = false;    ///< was running before it was recorded, with blocks that were not recorded
    std::uint32_t instance = 1; ///< number among the instances with this pid
    TraceTime start = kBeforeTrace;
    TraceTime end = kNever;
    std::string name;
    std::string commandLine;
    std::string forkName;                 ///< only for a fork that executed another program: its name before that
    std::vector<std::string> namesBefore; ///< names before exec; the latest kMostNamesBefore
    std::uint32_t epoch = 0;              ///< epoch of stacks recorded from now on
    std::vector<LoadedImage> images;
};

/// Processes and images over time. The pipeline thread changes it. Readers get an immutable copy through
/// PublishedTrace, which is small compared with allocations.
class ProcessTable {
  public:
    static constexpr std::size_t kMostNamesBefore = 32;

    // --- pipeline thread ---
    /// Returns the instance that the event began or completed. A start while an instance of that pid is alive ends that
    /// instance, because its end was lost; endedByReuse is set to it.
    ProcessIndex apply(const ProcessEvent& event, std::optional<ProcessIndex>& endedByReuse);
    /// The fork used no memory before it executed another program, so it has none of its parent's blocks.
    void forgetFork(ProcessIndex index);
    void apply(const ImageEvent& event);
    void apply(const ImageIdentityEvent& event);
    void apply(const VolumeMappingEvent& event);
    /// Applies a runtime's description of one of its modules. Images whose own records do not name a PDB use the PDB
    /// that it names. Returns the module of its source lines, or nothing if their PDB is unknown.
    std::optional<ModuleIndex> apply(const CodeFiles& files);
    /// Sets the computer on which the recording was made.
    void setMachine(const Guid& machine);
    /// Addresses of the process change their meaning. Stacks recorded from now on belong to a new epoch.
    void beginEpoch(ProcessIndex index);
    /// The running, otherwise the latest, instance of the pid. Creates one without a name if there is none.
    ProcessIndex current(std::uint32_t pid);
    /// Changes since construction: a copy is stale when its count differs.
    [[nodiscard]] std::uint64_t changes() const { return changes_; }

    // --- readers of a copy ---
    [[nodiscard]] const std::vector<ProcessInstance>& processes() const { return processes_; }
    [[nodiscard]] const ProcessInstance& operator[](ProcessIndex index) const { return processes_[index.value]; }
    [[nodiscard]] const std::vector<Module>& modules() const { return modules_; }
    [[nodiscard]] const Module& module(ModuleIndex index) const { return modules_[index.value]; }
    /// The image that contained the address in that address space, otherwise in the kernel's. Checks all images; use an
    /// ImageIndex for many addresses.
    [[nodiscard]] const LoadedImage* findImage(StackRoot root, Address address) const;
    /// The latest instance of pid 0, whose images are in every address space.
    [[nodiscard]] std::optional<ProcessIndex> kernel() const;
    /// \Device\HarddiskVolume3\x -> C:\x by the trace's volume mappings (longest prefix, case-insensitive).
    [[nodiscard]] std::string dosPath(const std::string& path) const { return volumes_.dosPath(path); }
    /// The computer that has the files of the paths, as source::machineId() identifies it. Guid{} if the trace does not
    /// specify it, or specifies several.
    [[nodiscard]] const Guid& machine() const { return machine_; }
    /// "name.exe (pid)"; the second instance of this pid: "name.exe (pid) #2"; without a name: "Unknown (pid)".
    [[nodiscard]] std::string key(ProcessIndex index) const;
    /// Its names before it executed other programs, the first one first. Consecutive duplicates are merged.
    [[nodiscard]] std::vector<std::string> earlierNames(ProcessIndex index) const;
    /// Sentences about processes that have blocks that are not their own. A fork has the name that it had as a fork.
    [[nodiscard]] std::vector<std::string> notes() const;

    /// Archives the fields that readers need, for code that writes them to or reads them from a file
    /// (core/pipeline/index): archive(fields...). `self` may be const.
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
    std::map<std::string, ModuleIdentity> expectedPdbs_; ///< as named by runtimes, by path on the volume
    /// By process: its images that are valid in the current epoch, by base. They do not overlap.
    std::vector<std::map<Address, std::uint32_t>> validImages_;
    VolumeNames volumes_;
    Guid machine_;
    bool hasMachineRecord_ = false;
    std::uint64_t changes_ = 0;
};

} // namespace highwater::store
