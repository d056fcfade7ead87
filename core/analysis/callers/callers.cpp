#include "core/analysis/callers/callers.h"

#include "core/analysis/rows/row_selection.h"
#include "core/base/text.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

CallSums callSums(const Sums& sums) { return {sums.count, sums.size, sums.impacting}; }

/// The labels of the function.
class FunctionLabels {
  public:
    FunctionLabels(const KeyReader& reader, std::string_view function)
        : reader_(reader), function_(function), hasModule_(function.find('!') != std::string_view::npos) {}

    [[nodiscard]] bool contains(std::uint32_t label) {
        if (label >= known_.size()) known_.resize(label + std::size_t{1}, Known::NotAsked);
        if (known_[label] == Known::NotAsked) known_[label] = isFunction(nameOf(label)) ? Known::Yes : Known::No;
        return known_[label] == Known::Yes;
    }
    [[nodiscard]] std::string nameOf(std::uint32_t label) const {
        return std::string(withoutInlinedMark(reader_.text(Column::Stack, label)));
    }

  private:
    enum class Known : std::uint8_t { NotAsked, No, Yes };

    [[nodiscard]] bool isFunction(std::string_view name) const {
        const auto mark = name.find('!');
        if (!hasModule_ && mark != std::string_view::npos) name.remove_prefix(mark + 1);
        return equalsIgnoringCase(name, function_);
    }

    const KeyReader& reader_;
    std::string_view function_;
    bool hasModule_;
    std::vector<Known> known_;
};

/// Splits stacks at the function and merges their halves.
class CallersBuilder {
  public:
    CallersBuilder(const KeyReader& reader, std::string_view function) : reader_(reader), labels_(reader, function) {
        answer_.function = function;
    }

    void add(const CellKey& cell, const Sums& sums) {
        const auto stack = reader_.stack(Column::Stack, cell);
        const auto cut = std::find_if(stack.begin(), stack.end(), [&](auto label) { return labels_.contains(label); });
        if (cut == stack.end()) return;
        if (answer_.callees.nodes()[0].sums.count == 0) answer_.function = labels_.nameOf(*cut);
        answer_.callees.add({cut + 1, stack.end()}, callSums(sums));
        callers_.assign(std::make_reverse_iterator(cut), stack.rend());
        answer_.callers.add(callers_, callSums(sums));
    }
    Callers finish() {
        const auto nameOf = [this](std::uint32_t label) { return reader_.text(Column::Stack, label); };
        answer_.callers.finish(nameOf);
        answer_.callees.finish(nameOf);
        return std::move(answer_);
    }

  private:
    const KeyReader& reader_;
    FunctionLabels labels_;
    Callers answer_;
    std::vector<std::uint32_t> callers_;
};

} // namespace

Result<Callers> findCallers(const store::PublishedTrace& trace, FrameLabels& labels, const CallersQuery& query,
                            const std::stop_token& stop) {
    const auto function = withoutInlinedMark(trimmed(query.function));
    if (function.empty())
        return Error{ErrorKind::Usage, "Specify the function whose callers to find, as \"module!function\"."};
    ColumnSet columns;
    columns.add(Column::Stack);
    const SelectionQuery selectionQuery{query.table,
                                        query.interval,
                                        Membership::Table,
                                        columns,
                                        &query.filter,
                                        query.processExitFreesHeap,
                                        query.allocatorFrames.get()};
    const auto made = TRY(RowSelection::make(trace, labels, selectionQuery, stop));
    const auto& selection = *made;
    CallersBuilder builder(selection.reader(), function);
    if (const auto& rows = selection.singleRows()) {
        for (const auto row : *rows) {
            if (stop.stop_requested()) return cancelled();
            const auto facts = selection.population().facts(row);
            builder.add(facts.key, facts.sums);
        }
        return builder.finish();
    }
    for (const auto& cell : selection.cells()) {
        if (stop.stop_requested()) return cancelled();
        builder.add(cell.key, cell.sums);
    }
    return builder.finish();
}

} // namespace highwater::analysis
