#include "core/export/json_text.h"

#include "core/analysis/columns/cell_text.h"
#include "core/analysis/table/grouped_table.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace highwater::exports {
namespace {

/// A time is stored among the values as binary of this subtype: nanoseconds, big-endian. A double has rounding errors
/// in its last digits and cannot hold all nanoseconds of a long trace.
constexpr std::uint64_t kSecondsSubtype = 9;

Json exactSeconds(std::int64_t nanoseconds) {
    std::vector<std::uint8_t> bytes;
    for (int shift = 56; shift >= 0; shift -= 8)
        bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(nanoseconds) >> shift));
    return Json::binary(std::move(bytes), kSecondsSubtype);
}

TraceTime timeOf(const Json& seconds) {
    std::uint64_t nanoseconds = 0;
    for (const auto byte : seconds.get_binary())
        nanoseconds = nanoseconds << 8 | byte;
    return TraceTime{std::bit_cast<std::int64_t>(nanoseconds)};
}

/// Non-integers have a decimal point, which readers use to distinguish them.
std::string withPoint(std::string number) {
    return number.find_first_of(".e") == std::string::npos ? number + ".0" : number;
}

/// Writes a value with its nested values.
class JsonPrinter {
  public:
    /// indent: negative for a single line.
    explicit JsonPrinter(int indent) : indent_(indent) {}

    void print(const Json& json) {
        if (json.is_object())
            printObject(json);
        else if (json.is_array())
            printArray(json);
        else if (json.is_binary())
            text_ += withPoint(secondsText(timeOf(json)));
        else if (json.is_number_float() && std::isfinite(json.get<double>()))
            text_ += withPoint(fmt::format("{}", json.get<double>()));
        else if (json.is_number_unsigned())
            text_ += std::to_string(json.get<std::uint64_t>());
        else if (json.is_number_integer())
            text_ += std::to_string(json.get<std::int64_t>());
        else
            text_ += json.dump(-1, ' ', true, Json::error_handler_t::replace);
    }
    [[nodiscard]] std::string take() { return std::move(text_); }

  private:
    void printObject(const Json& json) {
        if (json.empty()) return void(text_ += "{}");
        open('{');
        bool isFirst = true;
        for (const auto& [key, value] : json.items()) {
            separate(isFirst);
            print(Json(key));
            text_ += indent_ < 0 ? ":" : ": ";
            print(value);
        }
        close('}');
    }
    void printArray(const Json& json) {
        if (json.empty()) return void(text_ += "[]");
        open('[');
        bool isFirst = true;
        for (const auto& value : json) {
            separate(isFirst);
            print(value);
        }
        close(']');
    }
    void open(char bracket) {
        text_ += bracket;
        ++depth_;
    }
    void separate(bool& isFirst) {
        if (!isFirst) text_ += ',';
        isFirst = false;
        startLine();
    }
    void close(char bracket) {
        --depth_;
        startLine();
        text_ += bracket;
    }
    void startLine() {
        if (indent_ < 0) return;
        text_ += '\n';
        text_.append(depth_ * static_cast<std::size_t>(indent_), ' ');
    }

    int indent_;
    std::size_t depth_ = 0;
    std::string text_;
};

Json numberJson(analysis::ValueColumn column, std::int64_t number) {
    switch (analysis::valueKind(column)) {
    case analysis::ValueKind::Duration:
        return exactSeconds(number);
    case analysis::ValueKind::Time:
        return secondsJson(TraceTime{number});
    case analysis::ValueKind::Hex:
    case analysis::ValueKind::Text:
        return analysis::plainText(column, number);
    case analysis::ValueKind::Count:
    case analysis::ValueKind::Bytes:
    case analysis::ValueKind::SignedBytes:
    case analysis::ValueKind::BytesPerSecond:
    case analysis::ValueKind::Series:
        break;
    }
    return number;
}

} // namespace

Json secondsJson(TraceTime time) {
    if (time == kBeforeTrace || time == kNever) return nullptr;
    return exactSeconds(time.ns);
}

std::optional<TraceTime> timeFromJson(const Json& seconds) {
    return seconds.is_binary() ? std::optional(timeOf(seconds)) : std::nullopt;
}

Json intervalJson(TimeRange interval) {
    return {{"start", secondsJson(interval.start)}, {"end", secondsJson(interval.end)}};
}

Json healthJson(const HealthReport& health) {
    auto list = Json::array();
    for (const auto& entry : health.entries()) {
        list.push_back({{"what", entry.name.empty() ? entry.sentence : entry.name},
                        {"count", entry.count},
                        {"id", entry.id},
                        {"severity", entry.severity == Severity::Bound ? "bound" : "note"},
                        {"sentence", entry.sentence}});
        if (entry.mostMissing) list.back()["most_missing"] = *entry.mostMissing;
        if (entry.mostBytes) list.back()["most_bytes"] = *entry.mostBytes;
    }
    return list;
}

Json cellJson(analysis::ValueColumn column, const analysis::CellValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return numberJson(column, *number);
    if (const auto* time = std::get_if<TraceTime>(&value)) return secondsJson(*time);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* series = std::get_if<analysis::Series>(&value)) return *series->amounts;
    return nullptr;
}

std::string dumped(const Json& json, int indent) {
    JsonPrinter printer(indent);
    printer.print(json);
    return printer.take();
}

} // namespace highwater::exports
