#pragma once

#include <QString>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace highwater::tests {

/// The listing of a PDB by llvm-pdbutil, read from its text: functions, inlined calls with decoded annotations, lines.
/// A second opinion that shares no code with the reader. Addresses are bytes from the image's base.
class PdbutilListing {
  public:
    /// False: the tool is missing or printed nothing.
    bool read(const QString& pdb);

    struct InlineSite {
        std::string function; ///< without its scope
        std::uint32_t inlinee = 0;
        unsigned depth = 0;
        /// begin, end, line relative to the first line of the inlined function
        struct Range {
            std::uint64_t begin = 0;
            std::uint64_t end = 0;
            std::int64_t line = 0;
        };
        std::vector<Range> ranges;
    };
    struct Function {
        std::string name;
        unsigned module = 0;
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::vector<InlineSite> sites;
    };
    /// The functions that contain the address; several if they were folded.
    [[nodiscard]] std::vector<const Function*> functionsAt(std::uint64_t address) const;
    /// The inlined calls at the address, innermost first: function and line.
    [[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> inlinedAt(const Function& function,
                                                                              std::uint64_t address) const;
    /// The lines of the address, one from each listed run that contains it.
    [[nodiscard]] std::vector<unsigned> linesAt(std::uint64_t address) const;

  private:
    struct LineRun {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::vector<std::pair<std::uint64_t, unsigned>> lines;
    };
    void readSections(const QString& text);
    void readSymbols(const QString& text);
    void readInlinees(const QString& text);
    void readLines(const QString& text);
    [[nodiscard]] std::uint64_t toAddress(unsigned segment, std::uint64_t offset) const;

    std::vector<std::uint64_t> sections_;
    std::vector<Function> functions_;
    std::map<std::pair<unsigned, std::uint32_t>, unsigned> inlineeLines_; ///< (module, inlinee) -> first line
    std::vector<LineRun> runs_;
};

} // namespace highwater::tests
