#include "tests/core/analysis/random_query.h"

#include "core/analysis/columns/column_specs.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace highwater::tests {

using analysis::Column;
using analysis::Table;
using analysis::ValueKind;

namespace {

using Holds = decltype(RandomQuery::holds);

std::string lowered(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return text;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool isText(Column column) { return analysis::valueKind(column) == ValueKind::Text && !analysis::isAggregate(column); }

/// The values of a text column, frame by frame.
std::vector<std::string> textsOf(const Recount& recount, const RecountRow& row, Column column) {
    std::vector<std::string> texts;
    for (const auto& [_, key] : recount.path(row, {column})) {
        // (no source), (no name) and (none) are texts of missing values.
        const bool mayBeNothing =
            column == Column::SourceLine || column == Column::ThreadName || column == Column::Annotation;
        const bool isNothing = mayBeNothing && key.front() == '(';
        texts.push_back(isNothing ? "" : lowered(key));
    }
    return texts;
}

std::optional<std::int64_t> numberOf(const Recount& recount, const RecountRow& row, Table table, Column column) {
    if (analysis::isAggregate(column)) return recount.sums({row}).of(column, table);
    const auto text = recount.keyText(row, column);
    if (text.front() == '(') return std::nullopt;
    switch (analysis::valueKind(column)) {
    case ValueKind::Time:
    case ValueKind::Duration:
        return std::llround(std::stod(text) * 1e9);
    default:
        return static_cast<std::int64_t>(std::stoull(text, nullptr, 0));
    }
}

class Generator {
  public:
    Generator(RandomTrace& random, Table table, const Recount& recount, Asking asking)
        : random_(random), table_(table), recount_(recount), asking_(asking), rows_(recount.members()) {}

    RandomQuery query(unsigned depth) {
        switch (depth == 0 ? 0 : random_.pick(6)) {
        case 1:
            return connected(depth, " AND ", true);
        case 2:
            return connected(depth, " ", true);
        case 3:
            return connected(depth, " OR ", false);
        case 4: {
            auto inner = query(depth - 1);
            auto holds = inner.holds;
            return {"NOT (" + inner.text + ")", [=](auto& recount, auto& row) { return !holds(recount, row); }};
        }
        default:
            return condition();
        }
    }

  private:
    RandomQuery connected(unsigned depth, const char* word, bool isAnd) {
        auto a = query(depth - 1);
        auto b = query(depth - 1);
        const Holds holds = [isAnd, x = a.holds, y = b.holds](auto& recount, auto& row) {
            return isAnd ? x(recount, row) && y(recount, row) : x(recount, row) || y(recount, row);
        };
        return {"(" + a.text + ")" + word + "(" + b.text + ")", holds};
    }

    RandomQuery condition() {
        auto columns = recountedColumnsOf(table_);
        std::erase_if(columns, [&](Column column) {
            const bool isLabel = column == Column::Annotation && asking_ == Asking::NoLabels;
            return isLabel || analysis::specOf(column).isOfWholeGroups;
        });
        if (random_.pick(12) == 0) return anyText();
        const auto column = columns[random_.pick(static_cast<unsigned>(columns.size()))];
        const auto name = fmt::format("[{}]", analysis::columnName(table_, column));
        if (random_.pick(8) == 0) return noValue(column, name);
        return isText(column) ? ofText(column, name) : ofNumber(column, name);
    }

    RandomQuery noValue(Column column, const std::string& name) {
        const bool negated = random_.pick(2) == 0;
        const Holds holds = [=, table = table_](auto& recount, auto& row) {
            bool isNothing = false;
            if (analysis::isStack(column)) {
                isNothing = textsOf(recount, row, column).front() == "(no stack)";
            } else if (isText(column)) {
                const auto text = textsOf(recount, row, column).front();
                isNothing = text.empty() || text.front() == '(' || text == "n/a"; // (outstanding), no stack tag
            } else {
                isNothing = !numberOf(recount, row, table, column);
            }
            return isNothing != negated;
        };
        return {name + (negated ? ":<>[]" : ":=[]"), holds};
    }

    const RecountRow* someRow() {
        return rows_.empty() ? nullptr : &rows_[random_.pick(static_cast<unsigned>(rows_.size()))];
    }

    /// A text that rows have, or a part of one; never empty.
    std::string someText(Column column) {
        static const std::string kParts[] = {"one",      "(200)", "A",         "B!+0x1", "no stack",
                                             "resolved", "AI",    "Impacting", "e",      "?"};
        auto text = kParts[random_.pick(std::size(kParts))];
        if (const auto* row = someRow(); row != nullptr && random_.pick(2) == 0) {
            const auto texts = textsOf(recount_, *row, column);
            const auto& chosen = texts[random_.pick(static_cast<unsigned>(texts.size()))];
            if (!chosen.empty()) text = chosen;
        }
        if (random_.pick(4) == 0) text.resize(1 + random_.pick(static_cast<unsigned>(text.size())));
        return text;
    }

    RandomQuery ofText(Column column, const std::string& name) {
        static const char* const kOperators[] = {":=", ":<>", ":~=", ":~!", ":~<", ":~>"};
        const auto op = random_.pick(6);
        const auto text = someText(column);
        const Holds holds = [=, part = lowered(text)](auto& recount, auto& row) {
            const auto texts = textsOf(recount, row, column);
            const bool any = std::any_of(texts.begin(), texts.end(), [&](const std::string& whole) {
                if (op < 2) return whole == part;
                if (op < 4) return contains(whole, part);
                return op == 4 ? whole.starts_with(part) : whole.ends_with(part);
            });
            return any != (op == 1 || op == 3);
        };
        return {fmt::format("{}{}\"{}\"", name, kOperators[op], text), holds};
    }

    RandomQuery anyText() {
        const auto text = someText(Column::Process);
        const Holds holds = [part = lowered(text), table = table_](auto& recount, auto& row) {
            for (const auto column : analysis::columnsOf(table)) {
                if (!isText(column) || column == Column::SourceLine) continue;
                if (column == Column::Generation || column == Column::Annotation || column == Column::Owner) continue;
                if (column == Column::Reachability || column == Column::Holder || column == Column::ObjectType)
                    continue;
                if (column == Column::StackBottomUp || column == Column::AllocStackBottomUp) continue;
                if (analysis::isOfTags(column)) continue;
                const auto texts = textsOf(recount, row, column);
                if (std::any_of(texts.begin(), texts.end(), [&](auto& whole) { return contains(whole, part); }))
                    return true;
            }
            return false;
        };
        return {fmt::format("\"{}\"", text), holds};
    }

    RandomQuery ofNumber(Column column, const std::string& name) {
        static const char* const kOperators[] = {":=", ":<>", ":<", ":<=", ":>", ":>="};
        const auto op = random_.pick(6);
        std::int64_t value = random_.pick(12);
        if (const auto* row = someRow(); row != nullptr && random_.pick(3) != 0) {
            value = numberOf(recount_, *row, table_, column).value_or(value);
        }
        const auto kind = analysis::valueKind(column);
        const bool isHex = kind == ValueKind::Hex;
        const Holds holds = [=, table = table_](auto& recount, auto& row) {
            const auto number = numberOf(recount, row, table, column);
            if (!number) return op == 1;
            const bool isLess =
                isHex ? static_cast<std::uint64_t>(*number) < static_cast<std::uint64_t>(value) : *number < value;
            const bool isEqual = *number == value;
            const bool answers[] = {isEqual, !isEqual, isLess, isLess || isEqual, !isLess && !isEqual, !isLess};
            return answers[op];
        };
        const bool isTime = kind == ValueKind::Time || kind == ValueKind::Duration;
        const auto literal = isHex ? fmt::format("0x{:x}", static_cast<std::uint64_t>(value))
                                   : fmt::format("{}{}", value, isTime ? "ns" : "");
        return {name + kOperators[op] + literal, holds};
    }

    RandomTrace& random_;
    Table table_;
    const Recount& recount_;
    Asking asking_;
    std::vector<RecountRow> rows_;
};

} // namespace

RandomQuery randomQuery(RandomTrace& random, Table table, const Recount& recount, Asking asking) {
    return Generator(random, table, recount, asking).query(random.pick(4));
}

} // namespace highwater::tests
