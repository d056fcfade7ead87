#pragma once

#include "core/pipeline/core_files/core_file.h"
#include "tests/core/references/fake_process.h"
#include "tests/fixtures/core_writer.h"

#include <QFile>
#include <QTemporaryDir>

#include <memory>
#include <string>

namespace highwater::tests {

inline constexpr std::uint32_t kCorePid = 7;

/// Core files of fake processes.
class FakeCores {
  public:
    /// "app", with the threads and the memory of the process.
    std::string write(const FakeProcess& fake, std::function<bool(const Mapping&)> isLeftOut = nullptr) {
        const auto path = folder_.filePath(QString::number(++count_)).toStdString();
        const auto memory = fake.memory();
        fixtures::writeCore({kCorePid, "app", memory.mappings, memory.threads, memory.read, std::move(isLeftOut)},
                            path);
        return path;
    }
    /// Fails the test on an error.
    std::unique_ptr<pipeline::CoreFile> open(const FakeProcess& fake,
                                             std::function<bool(const Mapping&)> isLeftOut = nullptr) {
        auto core = pipeline::CoreFile::open(write(fake, std::move(isLeftOut)));
        if (!core.hasValue()) qFatal("%s", core.error().message.c_str());
        return std::move(core).value();
    }
    [[nodiscard]] std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }

  private:
    QTemporaryDir folder_;
    int count_ = 0;
};

} // namespace highwater::tests
