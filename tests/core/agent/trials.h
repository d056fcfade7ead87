#pragma once

#include "core/source/contract/trim_trial.h"

#include <QDir>
#include <QFile>
#include <QString>

#include <cstdint>
#include <cstdlib>

namespace highwater::tests {

inline QByteArray fileText(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Copies of this name that are still alive; those that their parent has not waited for yet have ended.
inline int copies(const QByteArray& name = "highwater-trim") {
    int count = 0;
    for (const auto& entry : QDir("/proc").entryList(QDir::Dirs)) {
        const auto stat = fileText("/proc/" + entry + "/stat");
        if (stat.contains("(" + name + ") ") && !stat.contains("(" + name + ") Z")) ++count;
    }
    return count;
}

/// The number after `word` in its last line.
inline std::int64_t numberAfter(const QByteArray& said, const QByteArray& word) {
    return std::atoll(said.mid(said.lastIndexOf(word) + word.size()).constData());
}

/// A trial that ends. On a machine that is busy with other work, a copy may not get the processor for two seconds.
inline Result<TrimTrial> trialOf(std::uint32_t pid) {
    constexpr int kMost = 20;
    for (int round = 1;; ++round) {
        auto trial = source::tryTrim(pid);
        const bool isLate =
            !trial.hasValue() && trial.error().message.find("did not end within 2 seconds") != std::string::npos;
        if (!isLate || round == kMost) return trial;
    }
}

inline QString reasonOf(const Result<TrimTrial>& trial) {
    return trial.hasValue() ? QString() : QString::fromStdString(trial.error().message);
}

} // namespace highwater::tests
