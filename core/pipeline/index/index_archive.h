#pragma once

#include "core/base/byte_reader.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace highwater::pipeline {

/// Values of an index file (trace_index.h) except its columns. For each type, the function archiveFields(archive,
/// value) names the fields for writing and reading: a WritingArchive appends them to bytes, a ReadingArchive reads them
/// from bytes. Uses the memory representation because files are only read by the program version that wrote them
/// (IndexKey). One thread.
class WritingArchive {
  public:
    static constexpr bool kReads = false;

    template <typename... Values>
    void operator()(const Values&... values) {
        (put(values), ...);
    }
    [[nodiscard]] ByteSpan bytes() const { return bytes_; }
    /// An enumerator; `last` is the highest valid one.
    template <typename Enum>
    void enumerator(const Enum& value, Enum /*last*/) {
        putBytes(&value, sizeof(value));
    }

  private:
    void putBytes(const void* from, std::size_t count) {
        const auto* begin = static_cast<const std::byte*>(from);
        bytes_.insert(bytes_.end(), begin, begin + count);
    }
    template <typename Value>
    void put(const Value& value) {
        if constexpr (requires(WritingArchive & archive) { archiveFields(archive, value); }) {
            archiveFields(*this, value);
        } else {
            static_assert(std::is_trivially_copyable_v<Value> && !std::is_pointer_v<Value> && !std::is_enum_v<Value>);
            putBytes(&value, sizeof(value));
        }
    }
    template <std::size_t kCount>
    void put(const std::array<bool, kCount>& values) {
        for (const auto value : values)
            put(value);
    }
    void put(const std::string& text) {
        put(std::uint64_t{text.size()});
        putBytes(text.data(), text.size());
    }
    template <typename Value>
    void put(const std::vector<Value>& values) {
        putAll(values);
    }
    template <typename Value>
    void put(const std::optional<Value>& value) {
        put(value.has_value());
        if (value) put(*value);
    }
    /// Null differs from empty.
    template <typename Value>
    void put(const std::shared_ptr<const Value>& value) {
        put(value != nullptr);
        if (value) put(*value);
    }
    template <typename Key, typename Value>
    void put(const std::pair<Key, Value>& pair) {
        put(pair.first);
        put(pair.second);
    }
    template <typename Map>
    requires requires { typename Map::key_type; }
    void put(const Map& map) { putAll(map); }
    template <typename Values>
    void putAll(const Values& values) {
        put(std::uint64_t{values.size()});
        for (const auto& value : values)
            put(value);
    }

    std::vector<std::byte> bytes_;
};

/// If the bytes are not as they were written, all values read from there on are empty, and isWhole() returns false.
/// Invalid bytes include a truth value other than 0 and 1, and an enumerator that does not exist.
class ReadingArchive {
  public:
    static constexpr bool kReads = true;

    explicit ReadingArchive(ByteSpan bytes) : reader_(bytes) {}

    template <typename... Values>
    void operator()(Values&... values) {
        (take(values), ...);
    }
    [[nodiscard]] bool isWhole() const { return isWhole_; }
    /// Everything that was written has been read.
    [[nodiscard]] bool isAtEnd() const { return isWhole_ && reader_.remaining() == 0; }
    template <typename Enum>
    void enumerator(Enum& value, Enum last) {
        std::underlying_type_t<Enum> number{};
        takeBytes(number);
        if (number > static_cast<std::underlying_type_t<Enum>>(last))
            isWhole_ = false;
        else
            value = static_cast<Enum>(number);
    }

  private:
    template <typename Value>
    void take(Value& value) {
        if constexpr (requires(ReadingArchive & archive) { archiveFields(archive, value); })
            archiveFields(*this, value);
        else
            takeBytes(value);
    }
    template <typename Value>
    void takeBytes(Value& value) {
        static_assert(std::is_trivially_copyable_v<Value> && !std::is_enum_v<Value> && !std::is_same_v<Value, bool>);
        if (const auto taken = reader_.take<Value>())
            value = *taken;
        else
            isWhole_ = false;
    }
    void take(bool& value) { value = takeBool(); }
    template <std::size_t kCount>
    void take(std::array<bool, kCount>& values) {
        for (auto& value : values)
            value = takeBool();
    }
    void take(std::string& text) {
        const auto bytes = reader_.takeBytes(takeSize());
        if (bytes && !bytes->empty()) text.assign(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    }
    template <typename Value>
    void take(std::vector<Value>& values) {
        for (auto left = takeSize(); left > 0 && isWhole_; --left) {
            values.emplace_back();
            take(values.back());
        }
    }
    template <typename Value>
    void take(std::optional<Value>& value) {
        if (takeBool()) take(value.emplace());
    }
    template <typename Value>
    void take(std::shared_ptr<const Value>& value) {
        if (!takeBool()) return;
        auto taken = std::make_shared<Value>();
        take(*taken);
        value = std::move(taken);
    }
    template <typename Map>
    requires requires { typename Map::mapped_type; }
    void take(Map& map) {
        for (auto left = takeSize(); left > 0 && isWhole_; --left) {
            typename Map::key_type key{};
            typename Map::mapped_type value{};
            takeKey(key);
            take(value);
            map.emplace(std::move(key), std::move(value));
        }
    }
    template <typename Key, typename Order>
    void take(std::set<Key, Order>& set) {
        for (auto left = takeSize(); left > 0 && isWhole_; --left) {
            Key key{};
            take(key);
            set.insert(std::move(key));
        }
    }
    template <typename Key>
    void takeKey(Key& key) {
        take(key);
    }
    template <typename First, typename Second>
    void takeKey(std::pair<First, Second>& key) {
        take(key.first);
        take(key.second);
    }
    bool takeBool() {
        std::uint8_t value = 0;
        takeBytes(value);
        if (value > 1) isWhole_ = false;
        return isWhole_ && value == 1;
    }
    /// Each counted element takes at least one byte.
    std::size_t takeSize() {
        std::uint64_t size = 0;
        takeBytes(size);
        if (size > reader_.remaining()) isWhole_ = false;
        return isWhole_ ? static_cast<std::size_t>(size) : 0;
    }

    ByteReader reader_;
    bool isWhole_ = true;
};

} // namespace highwater::pipeline
