#pragma once

#include "core/analysis/table/grouped_table.h"
#include "core/symbols/answers/symbol_table.h"
#include "tests/core/analysis/columns_builder.h"
#include "tests/core/analysis/printed_table.h"

#include <QtGlobal>

#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace highwater::tests {

/// A function at an address, as debug information describes it.
struct NamedCode {
    std::string name;
    std::string file = {};
    std::uint32_t line = 0;
    symbols::NameOrigin origin = symbols::NameOrigin::Private;
    std::uint32_t foldedWith = 0;
};

/// A trace whose functions can get names while it is displayed.
class NamedTrace {
  public:
    NamedTrace() { builder_.process("a.exe", 7, TraceTime{0}); }

    /// A block with this stack, outstanding to the end.
    void block(ByteCount size, const std::string& stack) {
        (void)allocate(size, stack);
        trace = builder_.publish(TraceTime{1000});
    }
    /// A block that another stack frees again.
    void freed(ByteCount size, const std::string& stack, const std::string& freeing) {
        const auto row = allocate(size, stack);
        ModelRelease release;
        release.time = TraceTime{++time_};
        release.stack = freeing;
        builder_.end(row, release);
        trace = builder_.publish(TraceTime{1000});
    }
    /// Names the functions of a module by their start addresses; "" is a hole.
    void name(const std::string& module, const std::map<symbols::Rva, std::string>& functions) {
        std::map<symbols::Rva, std::vector<NamedCode>> code;
        for (const auto& [begin, function] : functions) {
            auto& chain = code[begin];
            if (!function.empty()) chain.push_back({function});
        }
        nameCode(module, code);
    }
    /// The same with the functions inlined into them, outermost first. Offsets count from the start of a part.
    void nameCode(const std::string& module, const std::map<symbols::Rva, std::vector<NamedCode>>& parts,
                  symbols::Rva end = 0x200) {
        symbols::ResolvedAddresses answers;
        std::vector<symbols::Rva> addresses;
        for (auto address = parts.begin()->first; address < end; ++address) {
            const auto& [begin, chain] = *std::prev(parts.upper_bound(address));
            for (auto code = chain.rbegin(); code != chain.rend(); ++code) {
                const bool isInlined = code + 1 != chain.rend();
                symbols::ResolvedFrame frame;
                frame.function = static_cast<std::uint32_t>(answers.functions.size());
                frame.line = code->line;
                frame.offset = isInlined ? 0 : static_cast<std::uint32_t>(address - begin);
                frame.isInlined = isInlined;
                if (!code->file.empty()) {
                    frame.file = static_cast<std::uint32_t>(answers.files.size());
                    answers.files.push_back(code->file);
                }
                answers.functions.push_back({code->name, code->origin, code->foldedWith});
                answers.frames.push_back(frame);
            }
            answers.firstFrame.push_back(static_cast<std::uint32_t>(answers.frames.size()));
            addresses.push_back(address);
        }
        names->add(indexOf(module), addresses, answers);
    }
    void forget(const std::string& module) { names->forget(indexOf(module)); }

    std::string print(const analysis::Query& query) { return "\n" + printed(trace, query, labels); }
    std::shared_ptr<analysis::GroupedTable> table(const analysis::Query& query) {
        return analysis::GroupedTable::compute(trace, labels, query).value();
    }
    /// The path to the only row of each level.
    analysis::KeyPath onlyPath(const analysis::Query& query, std::size_t levels) {
        auto grouped = table(query);
        auto node = analysis::GroupedTable::kRoot;
        for (std::size_t i = 0; i < levels; ++i)
            node = grouped->children(node).front();
        return grouped->path(node);
    }

    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<symbols::SymbolTable> names = std::make_shared<symbols::SymbolTable>();
    std::shared_ptr<analysis::FrameLabels> labels = std::make_shared<analysis::FrameLabels>(names);

  private:
    std::size_t allocate(ByteCount size, const std::string& stack) {
        ModelRow row;
        row.heap = 0x10000;
        row.begin = TraceTime{++time_};
        row.size = size;
        row.stack = stack;
        row.address = 0x1000 * static_cast<Address>(time_);
        return builder_.alloc(row);
    }
    store::ModuleIndex indexOf(const std::string& module) const {
        const auto& modules = trace->processes->modules();
        for (std::uint32_t i = 0; i < modules.size(); ++i) {
            if (modules[i].name == module) return store::ModuleIndex{i};
        }
        qFatal("no module %s", module.c_str());
    }

    ColumnsBuilder builder_;
    std::int64_t time_ = 0;
};

inline analysis::Query heapQuery(std::vector<analysis::Column> keys, std::int64_t start = 0, std::int64_t end = 1000) {
    analysis::Query query;
    query.table = analysis::Table::Heap;
    query.interval = {TraceTime{start}, TraceTime{end}};
    query.keys = std::move(keys);
    return query;
}

inline analysis::Query freesQuery(std::vector<analysis::Column> keys) {
    auto query = heapQuery(std::move(keys));
    query.table = analysis::Table::Frees;
    return query;
}

/// The same query with one more step of the filter.
inline analysis::Query keeping(analysis::Query query, analysis::KeyPath path,
                               analysis::RowFilter::Clause::Mode mode = analysis::RowFilter::Clause::Mode::Keep) {
    query.filter.clauses.push_back({mode, {std::move(path)}});
    return query;
}

} // namespace highwater::tests
