#pragma once

#include <QFloat16> // QCOMPARE asks whether JSON converts to it
#include <nlohmann/json.hpp>

#include <QTest>

namespace QTest {

/// QCOMPARE prints JSON as it is. Without this it checks which of Qt's types JSON converts to, and JSON claims to
/// convert to any, including types that are only declared.
template <>
inline char* toString(const nlohmann::json& json) {
    return qstrdup(json.dump().c_str());
}

} // namespace QTest
