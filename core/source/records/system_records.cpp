#include "core/source/records/system_records.h"

#include "core/base/text.h"
#include "core/event/opcodes.h"

#include <algorithm>

namespace highwater::source {
namespace {

constexpr std::size_t kMostTextBytes = 8192; ///< must fit into a record

etl::RawRecord classic(std::int64_t ticks, std::uint32_t pid, std::uint8_t group, std::uint8_t opcode,
                       std::uint16_t version) {
    etl::RawRecord record;
    record.ticks = ticks;
    record.pid = pid;
    record.group = group;
    record.opcode = opcode;
    record.version = version;
    record.header = etl::HeaderType::System64; // as in Windows trace files
    return record;
}

etl::RawRecord ofProvider(std::int64_t ticks, const Guid& provider, std::uint8_t opcode) {
    etl::RawRecord record;
    record.ticks = ticks;
    record.kind = etl::RawRecord::Kind::Provider;
    record.provider = reinterpret_cast<const std::byte*>(&provider);
    record.opcode = opcode;
    record.header = etl::HeaderType::Full64;
    return record;
}

std::string shortened(const std::string& text) { return text.substr(0, std::min(text.size(), kMostTextBytes)); }

} // namespace

void addRunningProcess(BatchBuilder& batch, std::int64_t ticks, std::uint32_t pid, std::uint32_t parentPid,
                       const std::string& name, const std::string& commandLine) {
    batch.begin(classic(ticks, pid, group::kProcess, lifetime_opcode::kRundownStart, kVersion4));
    batch.put(std::uint64_t{pid}); // key
    batch.put(pid);
    batch.put(parentPid);
    batch.put(std::uint32_t{0}); // session
    batch.put(std::uint32_t{0}); // exit status
    batch.put(std::uint64_t{0}); // page directory
    batch.put(std::uint32_t{0}); // flags
    batch.put(std::uint32_t{0}); // no SID
    batch.putNarrow(shortened(name));
    batch.putUtf16(shortened(commandLine));
    batch.putUtf16({}); // package
    batch.putUtf16({}); // application
}

void addLoadedImage(BatchBuilder& batch, std::int64_t ticks, const SystemImage& image, ImageLoad load) {
    const auto opcode = load == ImageLoad::Now ? image_opcode::kLoad : image_opcode::kRundownStart;
    batch.begin(classic(ticks, image.pid, group::kImage, opcode, kVersion2));
    batch.put(image.base);
    batch.put(image.size);
    batch.put(image.pid);
    batch.put(std::uint32_t{0}); // checksum
    batch.put(image.timeDateStamp);
    batch.put(std::uint32_t{0});
    batch.put(image.base); // default base
    batch.putZeros(16);
    batch.putUtf16(shortened(image.path));
}

void addImageIdentity(BatchBuilder& batch, std::int64_t ticks, const SystemImage& image,
                      const ModuleIdentity& identity) {
    batch.begin(ofProvider(ticks, kImageIdProvider, image_id_opcode::kImage));
    batch.put(image.base);
    batch.put(std::uint64_t{identity.imageSize});
    batch.put(image.pid);
    batch.put(identity.timeDateStamp);
    batch.putUtf16(fileName(image.path));
    if (identity.pdbName.empty()) return;
    batch.begin(ofProvider(ticks, kImageIdProvider, image_id_opcode::kRsds));
    batch.put(image.base);
    batch.put(image.pid);
    batch.put(identity.pdbGuid);
    batch.put(identity.pdbAge);
    batch.putNarrow(shortened(identity.pdbName));
}

void addVolume(BatchBuilder& batch, std::int64_t ticks, const std::string& ntPath, const std::string& dosPath) {
    batch.begin(ofProvider(ticks, kSystemConfigProvider, system_config_opcode::kVolumeMapping));
    batch.putUtf16(ntPath);
    batch.putUtf16(dosPath);
}

void addMachine(BatchBuilder& batch, std::int64_t ticks, const Guid& machine) {
    batch.begin(ofProvider(ticks, kHighwaterProvider, highwater_opcode::kMachine));
    batch.put(machine);
}

void addProcessors(BatchBuilder& batch, std::int64_t ticks, std::uint32_t processors) {
    constexpr std::size_t kNameBytes = 256 * 2, kDomainBytes = 134 * 2;
    batch.begin(classic(ticks, 0, group::kConfig, config_opcode::kProcessors, kVersion2));
    batch.put(std::uint32_t{0}); // MHz
    batch.put(processors);
    batch.putZeros(3 * sizeof(std::uint32_t)); // memory, page size, granularity
    batch.putZeros(kNameBytes + kDomainBytes + sizeof(std::uint32_t));
}

void addRemark(BatchBuilder& batch, std::int64_t ticks, Severity severity, std::string_view sentence) {
    batch.begin(ofProvider(ticks, kHighwaterProvider, highwater_opcode::kRemark));
    batch.put(severity == Severity::Bound ? kRemarkIsBound : std::uint32_t{0});
    batch.putNarrow(startOfText(sentence, kMostRemarkBytes));
}

void addLossPlace(BatchBuilder& batch, std::int64_t ticks, std::int64_t first, std::int64_t last, std::uint64_t events,
                  std::uint32_t flags) {
    batch.begin(ofProvider(ticks, kHighwaterProvider, highwater_opcode::kLossPlace));
    batch.put(first);
    batch.put(last);
    batch.put(events);
    batch.put(flags);
}

} // namespace highwater::source
