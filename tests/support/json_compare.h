#pragma once

#include <QFloat16> // QCOMPARE asks whether JSON converts to it
#include <nlohmann/json.hpp>

#include <QTest>

namespace QTest {

/// QCOMPARE prints JSON as it is. Without this it asks which of Qt's types JSON converts to, and that is said to be any,
/// also those of which there is no more than a name.
template <>
inline char* toString(const nlohmann::json& json) {
    return qstrdup(json.dump().c_str());
}

} // namespace QTest
