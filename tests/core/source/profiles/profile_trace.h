#pragma once

#include "core/decode/record_decoder.h"
#include "core/source/profiles/profile_files.h"
#include "core/store/trace_store.h"

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::tests {

/// A file of another profiler as rows, or the reason why it was refused.
struct ProfileTrace {
    std::string error;
    std::shared_ptr<const store::PublishedTrace> trace; ///< null: it was refused
    HealthReport health;
    TraceLacks lacks;
};

/// Decodes and stores each batch at once.
class StoringSink final : public etl::RecordSink {
  public:
    explicit StoringSink(decode::RecordDecoder& decoder) : decoder_(decoder) {}
    void onBatch(etl::RecordBatch& batch) override {
        decoder_.decode(batch.records);
        decoder_.reach(batch.reachedTicks);
    }

  private:
    decode::RecordDecoder& decoder_;
};

[[nodiscard]] inline std::vector<std::byte> bytesOfText(std::string_view text) {
    std::vector<std::byte> bytes(text.size());
    if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

[[nodiscard]] inline ProfileTrace openBytes(std::vector<std::byte> bytes, std::string name) {
    TraceHealth health;
    auto source = source::profileFromMemory(std::move(bytes), std::move(name));
    if (!source.hasValue()) return {source.error().message, nullptr, {}, {}};
    store::TraceStore store(health);
    decode::RecordDecoder decoder(source.value()->properties(), store, health);
    StoringSink sink(decoder);
    Progress progress;
    const auto done = source.value()->run(sink, health, {}, progress);
    decoder.finish();
    const auto trace = store.publish();
    return {done.hasValue() ? "" : done.error().message, trace, trace->health, source.value()->properties().lacks};
}

[[nodiscard]] inline ProfileTrace openText(std::string_view text, std::string name = "a.file") {
    return openBytes(bytesOfText(text), std::move(name));
}

/// "function file:line < the function that contains it" at an address of a stack; "?" where the file has no name.
[[nodiscard]] inline std::string sourceTextAt(const store::PublishedTrace& trace, Address address) {
    const auto& code = trace.columns->names->code;
    for (std::uint64_t i = 0; i < trace.codeNamed; ++i) {
        const auto& named = code.named[i];
        if (named.address != address) continue;
        std::string text;
        for (auto at = named.first; at < named.first + named.count; ++at) {
            const auto& frame = code.functions[at];
            text += (text.empty() ? "" : " < ") + code.textAt(frame.name);
            if (frame.file != store::NamedFrame::kNoText)
                text += ' ' + code.textAt(frame.file) + ':' + std::to_string(frame.line);
        }
        return text;
    }
    return "?";
}

/// The frames of a row, innermost first, in the form of sourceTextAt() with the module: "app!leak() a.cc:5".
[[nodiscard]] inline std::vector<std::string> framesOf(const store::PublishedTrace& trace, RowId row) {
    std::vector<std::string> frames;
    const auto& stacks = trace.columns->stacks;
    for (auto node = trace.leaf(trace.heap.site(row).stack); stacks.node(node).depth > 0;
         node = stacks.node(node).parent) {
        const auto address = stacks.node(node).address;
        const auto code = frames.empty() ? address : address - 1;
        const auto* image = trace.processes->findImage({ProcessIndex{0}, 0}, code);
        const auto module = image == nullptr ? std::string() : trace.processes->module(image->module).name + '!';
        frames.push_back(module + sourceTextAt(trace, code));
    }
    return frames;
}

/// Addresses of a row's frames as the tables show them, innermost first, minus the bases of their modules.
[[nodiscard]] inline std::vector<Address> addressesOf(const store::PublishedTrace& trace, RowId row) {
    constexpr Address kOfFile = (Address{1} << 48) - 1;
    std::vector<Address> addresses;
    const auto& stacks = trace.columns->stacks;
    for (auto node = trace.leaf(trace.heap.site(row).stack); stacks.node(node).depth > 0;
         node = stacks.node(node).parent)
        addresses.push_back(stacks.node(node).address & kOfFile);
    return addresses;
}

/// As in files that were saved by a Windows text editor.
[[nodiscard]] inline std::string withReturns(std::string_view text) {
    std::string changed;
    for (const char letter : text) {
        if (letter == '\n') changed += '\r';
        changed += letter;
    }
    return changed;
}

/// "1000 outstanding, 64 freed, ...": sizes of the rows in their order.
[[nodiscard]] inline std::string sizesOf(const store::PublishedTrace& trace) {
    std::string text;
    for (RowId row = 0; row < trace.heap.rows; ++row)
        text += (row == 0 ? "" : ", ") + std::to_string(trace.heap.size(row)) +
                (trace.heap.end(row) == kNever ? " outstanding" : " freed");
    return text;
}

} // namespace highwater::tests
