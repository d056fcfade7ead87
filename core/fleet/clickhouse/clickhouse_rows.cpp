#include "core/fleet/clickhouse/clickhouse_rows.h"

#include "core/fleet/questions/stack_bytes.h"

namespace highwater::fleet {

void NewNames::addProcess(std::uint64_t id, std::string_view name) {
    if (there_.processes.contains(id) || !new_.processes.insert(id).second) return;
    processes_.add(id).addText(name);
}

void NewNames::addFrame(const summary::Frame& frame) {
    auto key = frameKey(frame);
    if (there_.frames.contains(key) || !new_.frames.insert(std::move(key)).second) return;
    frames_.addText(frame.name).addText(frame.module).addText(frame.buildId).add(frame.rva);
    frames_.add(static_cast<std::uint8_t>(frame.isNamed ? 1 : 0)).addText(frame.file).add(frame.line);
}

bool NewNames::isNew(const summary::StackKey& key) const {
    return !there_.stacks.contains(key) && !new_.stacks.contains(key);
}

void NewNames::addStack(const summary::StackKey& key, std::string_view owner, std::span<const CalledFrame> frames) {
    if (!isNew(key)) return;
    new_.stacks.insert(key);
    stacks_.addBytes(bytesOf(key)).addText(owner).addLength(frames.size());
    std::size_t unnamed = 0;
    for (const auto& frame : frames) {
        stacks_.addText(frame.name);
        unnamed += frame.isNamed ? 0 : 1;
    }
    stacks_.addLength(unnamed);
    for (std::size_t i = 0; i < frames.size(); ++i)
        if (!frames[i].isNamed) stacks_.add(static_cast<std::uint32_t>(i + 1));
    stacks_.addLength(unnamed);
    for (const auto& frame : frames)
        if (!frame.isNamed) stacks_.addText(frame.buildId);
}

std::vector<std::pair<const char*, std::string>> NewNames::takeRows() {
    std::vector<std::pair<const char*, std::string>> rows;
    for (auto& [table, writer] : {std::pair{"processes", &processes_}, {"frames", &frames_}, {"stacks", &stacks_}})
        if (writer->size() > 0) rows.emplace_back(table, writer->take());
    return rows;
}

void NewNames::markWritten() {
    there_.processes.merge(new_.processes);
    there_.frames.merge(new_.frames);
    there_.stacks.merge(new_.stacks);
}

} // namespace highwater::fleet
