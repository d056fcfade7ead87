#pragma once

#include <QByteArray>
#include <QProcess>
#include <QStringList>

#include <cstdint>

namespace highwater::tests {

/// A program that runs without the agent.
class Stranger {
  public:
    Stranger(const QString& program, const QStringList& arguments) { process_.start(program, arguments); }
    ~Stranger() {
        process_.kill();
        process_.waitForFinished();
    }
    [[nodiscard]] bool hasStarted() { return process_.waitForStarted(); }
    [[nodiscard]] bool hasSaid(const QByteArray& line) {
        while (!said_.contains(line)) {
            if (!process_.waitForReadyRead(30'000)) return false;
            said_ += process_.readAllStandardOutput();
        }
        return true;
    }
    [[nodiscard]] std::uint32_t pid() const { return static_cast<std::uint32_t>(process_.processId()); }
    /// Sends a line to its standard input.
    void say(const QByteArray& line) {
        process_.write(line + "\n");
        process_.waitForBytesWritten();
    }
    [[nodiscard]] int exitCode() {
        process_.closeWriteChannel();
        if (!process_.waitForFinished(120'000) || process_.exitStatus() != QProcess::NormalExit) return -1;
        said_ += process_.readAllStandardOutput();
        return process_.exitCode();
    }
    [[nodiscard]] QByteArray said() const { return said_; }
    /// Kills it at once.
    void kill() {
        process_.kill();
        process_.waitForFinished();
    }

  private:
    QProcess process_;
    QByteArray said_;
};

} // namespace highwater::tests
