#include "core/source/generated_code/code_records.h"

#include "core/base/text.h"
#include "core/event/opcodes.h"

#include <algorithm>
#include <string>

namespace highwater::source {
namespace {

std::uint32_t kindOf(const CodeEvent& event) {
    if (event.kind == CodeEvent::Kind::Module) return code_record::kModule;
    return event.occasion == Occasion::Start ? code_record::kBegins : code_record::kWasThere;
}

/// Includes the terminating NUL. A NUL inside the text ends it.
void putText(BatchBuilder& batch, const std::string& text) {
    std::string cut(startOfText(text, kMostCodeNameBytes));
    std::replace(cut.begin(), cut.end(), '\0', ' ');
    batch.putNarrow(cut);
}

} // namespace

void addCode(BatchBuilder& batch, std::int64_t ticks, const CodeEvent& event) {
    etl::RawRecord record;
    record.ticks = ticks;
    record.pid = event.pid;
    record.kind = etl::RawRecord::Kind::Provider;
    record.provider = reinterpret_cast<const std::byte*>(&kHighwaterProvider);
    record.opcode = highwater_opcode::kCode;
    record.header = etl::HeaderType::Full64;
    batch.begin(record);
    batch.put(event.pid);
    batch.put(kindOf(event));
    batch.put(event.start);
    batch.put(event.module);
    batch.put(event.size);
    putText(batch, event.name);
    putText(batch, event.signature);
}

} // namespace highwater::source
