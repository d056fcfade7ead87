#include "core/analysis/query/query_expression.h"
#include "tests/core/analysis/query/test_row.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <random>

using namespace highwater;
using namespace highwater::analysis;

namespace {

std::string lowered(std::string text) {
    for (auto& c : text)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return text;
}

/// A random query as text, with its meaning in a second form that is as simple as possible.
struct RandomQuery {
    using Meaning = std::function<bool(const TestRow&)>;
    std::string text;
    Meaning meaning;
};

class QueryMaker {
  public:
    explicit QueryMaker(unsigned seed) : random_(seed) {}

    RandomQuery query(unsigned depth) {
        if (depth == 0 || below(4) == 0) return condition();
        if (below(4) == 0) {
            auto inner = query(depth - 1);
            return {"NOT (" + inner.text + ")", [m = inner.meaning](const TestRow& row) { return !m(row); }};
        }
        // a op b op c without parentheses: AND binds first.
        auto first = query(depth - 1);
        auto second = query(depth - 1);
        auto third = query(depth - 1);
        const bool andFirst = below(2) == 0;
        const auto text = "(" + first.text + ")" + (andFirst ? oneOf({" AND ", " "}) : " OR ") + "(" + second.text +
                          ")" + (andFirst ? " or " : " and ") + "(" + third.text + ")";
        return {text, [andFirst, a = first.meaning, b = second.meaning, c = third.meaning](const TestRow& row) {
                    return andFirst ? (a(row) && b(row)) || c(row) : a(row) || (b(row) && c(row));
                }};
    }

    TestRow row() {
        TestRow row;
        for (const auto column : {Column::Process, Column::Type}) {
            if (below(4) != 0) row.values[column] = word();
        }
        for (const auto column : {Column::Size, Column::ImpactingSize, Column::Pid}) {
            if (below(4) != 0) row.values[column] = std::int64_t{below(9)} - 3;
        }
        if (below(4) != 0) row.values[Column::EndTime] = below(4) == 0 ? kNever : TraceTime{below(5) * 1'000'000'000};
        words_.clear();
        for (auto left = below(4); left > 0; --left)
            words_.push_back("a" + word());
        for (const auto& label : words_)
            row.stacks[Column::Stack].push_back(label);
        return row;
    }

    ColumnSet someColumns() {
        ColumnSet result;
        for (const auto column : columnsOf(Table::VirtualAlloc)) {
            if (below(2) == 0) result.add(column);
        }
        return result;
    }

  private:
    std::int64_t below(unsigned end) { return static_cast<std::int64_t>(random_() % end); }
    std::string oneOf(std::initializer_list<const char*> texts) { return texts.begin()[random_() % texts.size()]; }
    std::string word() {
        std::string result;
        for (auto left = below(4); left > 0; --left)
            result += oneOf({"a", "b", "A", "B", "\"", "'", " "});
        return result;
    }

    RandomQuery condition() {
        switch (below(5)) {
        case 0:
            return number();
        case 1:
            return time();
        case 2:
            return anyText();
        default:
            return text();
        }
    }

    RandomQuery number() {
        const auto [name, column] =
            std::array{std::pair{"Size", Column::Size}, std::pair{"impacting size", Column::ImpactingSize},
                       std::pair{"[PID]", Column::Pid}}[random_() % 3];
        const auto asked = below(9) - 3;
        const auto sign = oneOf({":=", ":<>", ":<", ":<=", ":>", ":>="});
        return {name + sign + std::to_string(asked), [column, sign, asked](const TestRow& row) {
                    const auto found = row.values.find(column);
                    if (found == row.values.end()) return sign == ":<>";
                    const auto value = std::get<std::int64_t>(found->second);
                    return sign == ":="    ? value == asked
                           : sign == ":<>" ? value != asked
                           : sign == ":<"  ? value < asked
                           : sign == ":<=" ? value <= asked
                           : sign == ":>"  ? value > asked
                                           : value >= asked;
                }};
    }

    RandomQuery time() {
        const auto asked = below(5);
        return {"Decommit Time:>=" + std::to_string(asked) + oneOf({"", "s", " s", "000ms"}),
                [asked](const TestRow& row) {
                    const auto found = row.values.find(Column::EndTime);
                    if (found == row.values.end()) return false;
                    const auto value = std::get<TraceTime>(found->second);
                    return value != kNever && value.ns >= asked * 1'000'000'000;
                }};
    }

    static std::vector<std::string> textsOf(const TestRow& row, Column column) {
        if (column == Column::Stack) {
            const auto found = row.stacks.find(column);
            if (found == row.stacks.end()) return {"(no stack)"};
            return {found->second.begin(), found->second.end()};
        }
        const auto found = row.values.find(column);
        return {found == row.values.end() ? std::string() : std::get<std::string>(found->second)};
    }

    RandomQuery anyText() {
        const auto asked = word();
        return {QueryExpression::quoted(asked), [asked](const TestRow& row) {
                    if (asked.empty()) return true;
                    for (const auto column : {Column::Process, Column::Type, Column::Stack}) {
                        for (const auto& text : textsOf(row, column)) {
                            if (lowered(text).find(lowered(asked)) != std::string::npos) return true;
                        }
                    }
                    return false;
                }};
    }

    RandomQuery text() {
        const auto [name, column] = std::array{std::pair{"process", Column::Process}, std::pair{"[Type]", Column::Type},
                                               std::pair{"Stack", Column::Stack}}[random_() % 3];
        const auto asked = lowered(word());
        const auto sign = oneOf({":=", ":<>", ":~=", ":~!", ":~<", ":~>"});
        return {name + sign + QueryExpression::quoted(asked), [column, sign, asked](const TestRow& row) {
                    const auto texts = textsOf(row, column);
                    const bool any = std::any_of(texts.begin(), texts.end(), [&](const std::string& original) {
                        const auto text = lowered(original);
                        if (column == Column::Stack && asked.empty() && (sign == ":=" || sign == ":<>"))
                            return text == "(no stack)";
                        if (sign == ":=" || sign == ":<>") return text == asked;
                        if (sign == ":~<") return text.starts_with(asked);
                        if (sign == ":~>") return text.ends_with(asked);
                        return text.find(asked) != std::string::npos;
                    });
                    return sign == ":<>" || sign == ":~!" ? !any : any;
                }};
    }

    std::mt19937 random_;
    std::vector<std::string> words_; ///< those of the last row
};

} // namespace

class QueryRoundTripTest : public QObject {
    Q_OBJECT
  private slots:
    void spellsRandomQueriesSoThatTheyParseToTheSame() {
        for (unsigned seed = 0; seed < 3000; ++seed) {
            const auto text = QueryMaker(seed).query(4).text;
            const auto parsed = QueryExpression::parse(Table::VirtualAlloc, text);
            QVERIFY2(parsed.hasValue(), text.c_str());
            const auto spelled = parsed.value().toString();
            const auto again = QueryExpression::parse(Table::VirtualAlloc, spelled);
            QVERIFY2(again.hasValue() && again.value() == parsed.value(), spelled.c_str());
            QCOMPARE(again.value().toString(), spelled);
        }
    }
    void answersAsBruteForceDoes() {
        for (unsigned seed = 0; seed < 3000; ++seed) {
            QueryMaker maker(seed);
            const auto query = maker.query(3);
            const auto expression = QueryExpression::parse(Table::VirtualAlloc, query.text).value();
            for (int i = 0; i < 20; ++i) {
                const auto row = maker.row();
                QVERIFY2(expression.matches(row) == query.meaning(row), query.text.c_str());
            }
        }
    }
    void neverContradictsTheFullAnswerWithFewerColumns() {
        int decided = 0;
        for (unsigned seed = 0; seed < 5000; ++seed) {
            QueryMaker maker(seed);
            const auto expression = QueryExpression::parse(Table::VirtualAlloc, maker.query(3).text).value();
            for (int i = 0; i < 10; ++i) {
                const auto row = maker.row();
                const auto known = maker.someColumns();
                const auto truth = expression.evaluate(row, known);
                const bool full = expression.matches(row);
                if (truth != Truth::Unknown) {
                    ++decided;
                    QCOMPARE(truth == Truth::True, full);
                }
                QVERIFY(expression.evaluate(row, expression.columns()) == (full ? Truth::True : Truth::False));
                if (known.containsAll(expression.columns())) QVERIFY(truth != Truth::Unknown);
            }
        }
        QVERIFY(decided > 5000);
    }
};
HIGHWATER_TEST(QueryRoundTripTest);
#include "query_round_trip_test.moc"
