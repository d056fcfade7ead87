#include "app/recording/elevation.h"

namespace highwater::app {

QStringList argumentsToRecordAgain(const QStringList& own) {
    const auto ask = QStringLiteral("--ask-what-to-record");
    // Arguments after --record belong to another program, which is recorded again separately.
    if (own.contains(QStringLiteral("--record")) || own.contains(ask)) return own;
    return QStringList{ask} + own;
}

} // namespace highwater::app
